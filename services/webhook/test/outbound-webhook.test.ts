import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { AuditRecorded } from '@svc/contracts/common/v1/audit'
import type { Caller } from '@svc/grpc'
import { orderWebhook, topupWebhook, withdrawalWebhook } from '@svc/public-bodies'
import { adminCaller, eventually, merchantCaller, onceAvailable, type Receiver, receiver } from '@svc/testing'
import { startWebhook, type TestWebhook } from './start-webhook.ts'

const URL_OF_HOOK = 'https://hooks.example.com/in'
const SIX = [
  'order.created',
  'order.status_updated',
  'order.rider_assigned',
  'order.accepted',
  'order.picked_up',
  'order.delivered',
]
const OPT_IN = [
  'order.rider_arrived_pickup',
  'order.rider_arrived_dropoff',
  'order.eta_changed',
  'dispatch.delayed',
  'dispatch.exhausted',
  'wallet.topup_credited',
  'withdrawal.requested',
  'withdrawal.approved',
  'withdrawal.processing',
  'withdrawal.paid',
  'withdrawal.failed',
  'withdrawal.rejected',
  'withdrawal.cancelled',
]

let service: TestWebhook
let target: Receiver
let caller: Caller & { merchantId: string }

beforeAll(async () => {
  service = await startWebhook()
  target = await receiver()
})
afterAll(async () => {
  await service?.stop()
  await target?.close()
})
beforeEach(() => {
  caller = merchantCaller({ isTest: null }) as typeof caller
})

const get = async (as: Caller = caller) => (await service.webhook.as(as).getOutboundWebhook({})).webhook

async function auditsOf(merchantId: string) {
  const rows = await service.sql<{ payload: Buffer }>(
    `SELECT payload FROM outbox WHERE type = 'audit.recorded' AND merchant_id = $1 ORDER BY seq`,
    [merchantId],
  )
  return rows.map(({ payload }) => AuditRecorded.decode(payload))
}

describe('the outbound webhook', () => {
  test('of a merchant that has set nothing is blank, with the six default events', async () => {
    expect(await get()).toEqual({
      url: undefined,
      enabled: false,
      secret_configured: false,
      events: SIX,
      signature_version: 'v1',
      test_url: undefined,
      test_secret_configured: false,
      disabled_reason: undefined,
      updated_at: undefined,
    })
  })

  test('returns a generated secret once, and no secret ever again', async () => {
    const { generated_secret: secret = '', webhook } = await service.patch(caller, { url: URL_OF_HOOK, enabled: true })
    // No prefix: a Standard Webhooks library would take `whsec_` off, and verify with another key.
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(webhook).toMatchObject({ url: URL_OF_HOOK, enabled: true, secret_configured: true })
    expect((await service.patch(caller, { enabled: true })).generated_secret).toBeUndefined()
    expect(JSON.stringify(await get())).not.toContain(secret)
  })

  test('keeps secrets sealed in the table and out of the audit trail', async () => {
    const secrets = { secret: 'the live secret 0123', test_secret: 'the test secret 0123' }
    await service.patch(caller, { url: URL_OF_HOOK, enabled: true, signature_version: 'v2', ...secrets })
    await service.webhook.as(caller).rotateOutboundWebhookSecret({})
    const rows = await service.sql('SELECT * FROM endpoint WHERE merchant_id = $1', [caller.merchantId])
    const audits = await auditsOf(caller.merchantId)
    for (const secret of Object.values(secrets)) {
      expect(JSON.stringify(rows)).not.toContain(secret)
      expect(JSON.stringify(audits)).not.toContain(secret)
    }
    expect(audits).toMatchObject([
      {
        action: 'merchant.outbound_webhook_patch',
        actor_type: caller.actor.type,
        actor_id: caller.actor.id,
        merchant_id: caller.merchantId,
        request_id: caller.requestId,
      },
      { action: 'merchant.outbound_webhook_rotate_secret' },
    ])
    expect(JSON.parse(audits[0]?.after_json ?? '')).toMatchObject({ url: URL_OF_HOOK, secret_configured: true })
  })

  test('does not open a secret that was moved to another merchant', async () => {
    const thief = merchantCaller({ isTest: null }) as typeof caller
    await service.patch(caller, { url: target.url, enabled: true, secret: 'the secret of the first' })
    await service.patch(thief, { url: target.url, enabled: true })
    await service.sql(
      'UPDATE endpoint SET secret = (SELECT secret FROM endpoint WHERE merchant_id = $1) WHERE merchant_id = $2',
      [caller.merchantId, thief.merchantId],
    )
    expect(await get(thief)).toMatchObject({ enabled: true, secret_configured: false })
  })

  test.each<[string, object, string, string]>([
    ['enabling without a url', { enabled: true }, 'validation_error', 'url'],
    [
      'an event that does not exist',
      { events: { events: ['order.created', 'order.x'] } },
      'validation_error',
      'events[1]',
    ],
    ['a short secret', { secret: 'fifteen chars..' }, 'validation_error', 'secret'],
    ['a long secret', { secret: 'x'.repeat(257) }, 'validation_error', 'secret'],
    ['a short test secret', { test_secret: 'short' }, 'validation_error', 'test_secret'],
    ['an unknown signature version', { signature_version: 'v3' }, 'validation_error', 'signature_version'],
    ['null for a field that cannot be null', { clear_fields: ['enabled'] }, 'validation_error', 'clear_fields[0]'],
    ['plain http', { url: 'http://hooks.example.com/' }, 'invalid_webhook_url', 'url'],
    ['a private address', { url: 'https://192.168.0.1/' }, 'invalid_webhook_url', 'url'],
    ['another spelling of loopback', { url: 'http://127.1:8080/' }, 'invalid_webhook_url', 'url'],
    ['an empty patch', {}, 'validation_error', ''],
  ])('refuses %s, naming the field, and changes nothing', async (_, change, code, field) => {
    await expect(service.patch(caller, change)).rejects.toMatchObject({
      code,
      details: expect.objectContaining({ field }),
    })
    expect((await get())?.updated_at).toBeUndefined()
    expect(await auditsOf(caller.merchantId)).toEqual([])
  })

  test('names the allowed events when one is unknown', async () => {
    await expect(service.patch(caller, { events: { events: ['order.x'] } })).rejects.toMatchObject({
      details: expect.objectContaining({ allowed: [...SIX, ...OPT_IN] }),
    })
  })

  test('cannot lose its secret while enabled, unless the same patch disables it', async () => {
    await service.patch(caller, { url: URL_OF_HOOK, enabled: true })
    await expect(service.patch(caller, { clear_fields: ['secret'] })).rejects.toMatchObject({
      code: 'validation_error',
      details: expect.objectContaining({ field: 'secret' }),
    })
    const { webhook } = await service.patch(caller, { enabled: false, clear_fields: ['secret', 'url'] })
    expect(webhook).toMatchObject({ enabled: false, secret_configured: false, url: undefined })
  })

  test('rotates with 24 hours of overlap under v2 and at once under v1', async () => {
    await service.patch(caller, { url: URL_OF_HOOK, enabled: true })
    const v1 = await service.webhook.as(caller).rotateOutboundWebhookSecret({})
    expect(v1.previous_secret_expires_at).toBeUndefined()
    await service.patch(caller, { signature_version: 'v2' })
    const v2 = await service.webhook.as(caller).rotateOutboundWebhookSecret({})
    const hours = (Date.parse(v2.previous_secret_expires_at ?? '') - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThanOrEqual(24)
    expect(v2.secret).not.toBe(v1.secret)
  })

  test('whose secret cannot be opened counts as one without: it is told so, keeps it through other changes, and a rotation mends it', async () => {
    await service.patch(caller, { url: URL_OF_HOOK, enabled: true, test_secret: 'of the sandbox alone' })
    const gone = 'sealed by a key that is gone'
    await service.sql('UPDATE endpoint SET secret = $2, test_secret = $2 WHERE merchant_id = $1', [
      caller.merchantId,
      gone,
    ])
    const unreadable = { enabled: true, secret_configured: false, test_secret_configured: false }
    expect(await get()).toMatchObject(unreadable)
    const asked = { merchant_ids: [caller.merchantId] }
    const { webhooks } = await service.webhook.as(adminCaller()).getOutboundWebhooks(asked)
    expect(webhooks).toMatchObject([unreadable])
    await service.webhook.as(caller).rotateOutboundWebhookSecret({})
    expect(await get()).toMatchObject({ ...unreadable, secret_configured: true })
    expect(await service.sql('SELECT test_secret FROM endpoint WHERE merchant_id = $1', [caller.merchantId])).toEqual([
      { test_secret: gone },
    ])
    await service.patch(caller, { test_secret: 'another of the sandbox' })
    expect(await get()).toMatchObject({ secret_configured: true, test_secret_configured: true })
  })

  test('of one merchant is out of reach for every other', async () => {
    await service.patch(caller, { url: URL_OF_HOOK, enabled: true })
    const stranger = merchantCaller()
    expect((await get(stranger))?.url).toBeUndefined()
    await expect(
      service.webhook.as(stranger).getOutboundWebhook({ merchant_id: caller.merchantId }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    await expect(service.patch(stranger, { merchant_id: caller.merchantId, enabled: false })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  test('is read by every credential of its merchant, and changed with webhooks:manage only', async () => {
    await service.patch(caller, { url: URL_OF_HOOK, enabled: true })
    const reader = merchantCaller({ merchantId: caller.merchantId, isTest: null, scopes: ['orders:read'] })
    expect((await get(reader))?.url).toBe(URL_OF_HOOK)
    await expect(service.patch(reader, { enabled: false })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(service.webhook.as(reader).rotateOutboundWebhookSecret({})).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  test('of many merchants is told to operators in the order in which they are named', async () => {
    const [blank, set] = [merchantCaller().merchantId ?? '', caller.merchantId]
    await service.patch(caller, { url: URL_OF_HOOK, enabled: true })
    const asked = { merchant_ids: [blank, set, blank] }
    const { webhooks } = await service.webhook.as(adminCaller()).getOutboundWebhooks(asked)
    expect(webhooks.map(({ url, enabled }) => [url, enabled])).toEqual([
      [undefined, false],
      [URL_OF_HOOK, true],
      [undefined, false],
    ])
    await expect(service.webhook.as(caller).getOutboundWebhooks(asked)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(
      service.webhook.as(adminCaller({ permissions: ['admin.merchants.write'] })).getOutboundWebhooks(asked),
    ).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('is changed by an operator with the permission only, and the audit names the operator', async () => {
    const operator = adminCaller()
    const change = { merchant_id: caller.merchantId, url: URL_OF_HOOK, enabled: true }
    await expect(service.patch(adminCaller({ permissions: ['admin.merchants.read'] }), change)).rejects.toMatchObject({
      code: 'forbidden',
      details: { required: ['admin.merchants.write'] },
    })
    await service.patch(operator, change)
    expect((await get())?.url).toBe(URL_OF_HOOK)
    expect(await auditsOf(caller.merchantId)).toMatchObject([{ actor_type: 'admin', actor_id: operator.actor.id }])
  })

  test('survives fifty concurrent first patches with one consistent row', async () => {
    const patched = () => service.patch(caller, { url: URL_OF_HOOK, enabled: true })
    const replies = await Promise.all(Array.from({ length: 50 }, () => onceAvailable(patched)))
    expect(replies.filter(({ generated_secret }) => generated_secret !== undefined)).toHaveLength(1)
  })
})

describe('the sandbox endpoint', () => {
  const LIVE_URL = 'https://live.example.com/in'
  const LIVE_SECRET = 'the live secret 0123'
  const testKey = () => ({ ...caller, isTest: true })
  const LIVE_COLUMNS = `url, enabled, secret, previous_secret, previous_secret_expires_at, events, signature_version,
    updated_at`
  const liveColumns = () =>
    service.sql(`SELECT ${LIVE_COLUMNS} FROM endpoint WHERE merchant_id = $1`, [caller.merchantId])

  test('is all that a test credential reads and changes: no live column changes, no live URL or secret is shown', async () => {
    const events = { events: ['order.delivered'] }
    await service.patch(caller, { url: LIVE_URL, enabled: true, secret: LIVE_SECRET, signature_version: 'v2', events })
    const before = await liveColumns()
    const as = service.webhook.as(testKey())
    const blank = { url: undefined, enabled: false, secret_configured: false, events: SIX, signature_version: 'v1' }
    const replies: unknown[] = [await get(testKey())]
    expect(replies[0]).toMatchObject({ ...blank, test_url: undefined, updated_at: undefined })
    await expect(as.testOutboundWebhook({ is_test: false })).rejects.toMatchObject({ details: { field: 'url' } })
    const patched = await service.patch(testKey(), { url: URL_OF_HOOK, enabled: true })
    expect(patched.webhook).toMatchObject({ ...blank, url: URL_OF_HOOK, enabled: true, secret_configured: true })
    expect(patched.generated_secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const rotated = await as.rotateOutboundWebhookSecret({})
    expect(rotated.secret).not.toBe(patched.generated_secret)
    replies.push(patched, rotated)
    for (const change of [
      { events: { events: ['order.created'] } },
      { signature_version: 'v1' },
      { test_url: 'https://test.example.com/' },
      { enabled: false },
      { clear_fields: ['url', 'secret'] },
    ]) {
      replies.push(await service.patch(testKey(), change))
    }
    expect(await liveColumns()).toEqual(before)
    for (const reply of replies) {
      expect(JSON.stringify(reply)).not.toContain(LIVE_URL)
      expect(JSON.stringify(reply)).not.toContain(LIVE_SECRET)
    }
    expect(await get()).toMatchObject({ url: LIVE_URL, enabled: true, ...events, signature_version: 'v2' })
  })

  test('takes sandbox events alone: with its own list, live orders go to the live URL and list', async () => {
    const [live, sandbox] = await Promise.all([receiver(), receiver()])
    try {
      await service.patch(caller, { url: live.url, enabled: true, events: { events: ['order.accepted'] } })
      await service.patch(testKey(), { url: sandbox.url, enabled: true, events: { events: ['order.created'] } })
      const [orderId, testId] = [randomUUID(), randomUUID()]
      const [merchantId, type] = [caller.merchantId, 'order.accepted']
      await service.announce(
        { merchantId, orderId, isTest: false },
        { merchantId, orderId, isTest: false, version: 2, type },
        { merchantId, orderId: testId },
        { merchantId, orderId: testId, version: 2, type },
      )
      const counted = async (isTest: boolean) =>
        (await service.delivery.as({ ...caller, isTest }).listDeliveries({ limit: 0, offset: 0 })).items
      await eventually(async () => {
        expect((await counted(false)).map(({ status, event }) => [status, event])).toEqual([['succeeded', type]])
        expect((await counted(true)).map(({ status, event }) => [status, event])).toEqual([
          ['succeeded', 'order.created'],
        ])
      })
      const eventsOf = ({ requests }: Receiver) => requests.map(({ headers }) => headers['x-service-event'])
      expect([eventsOf(live), eventsOf(sandbox)]).toEqual([[type], ['order.created']])
    } finally {
      await Promise.all([live.close(), sandbox.close()])
    }
  })

  test('that is not set leaves sandbox events to the live endpoint, whose URL is not told to a test credential', async () => {
    await service.patch(caller, { url: target.url, enabled: true })
    const [eventId = ''] = await service.announce({ merchantId: caller.merchantId })
    await target.waitFor(({ body }) => body.includes(eventId))
    const urlsSeenBy = async (isTest: boolean | null) => {
      const { items } = await service.delivery.as({ ...caller, isTest }).listDeliveries({ limit: 0, offset: 0 })
      return items.map(({ status, url }) => [status, url])
    }
    await eventually(async () => expect(await urlsSeenBy(null)).toEqual([['succeeded', target.url]]))
    expect(await urlsSeenBy(true)).toEqual([['succeeded', undefined]])
  })

  test('has its own breaker: what a test credential sets does not wake the live one', async () => {
    await service.patch(caller, { url: URL_OF_HOOK, enabled: true })
    await service.sql(
      `INSERT INTO lane (merchant_id, is_test, due_at, consecutive_failures, open_until)
       SELECT $1, t, 'infinity', 30, 'infinity' FROM unnest(ARRAY[false, true]) t`,
      [caller.merchantId],
    )
    await service.patch(testKey(), { url: URL_OF_HOOK, enabled: true })
    const lanes = await service.sql<{ is_test: boolean; consecutive_failures: number }>(
      'SELECT is_test, consecutive_failures FROM lane WHERE merchant_id = $1 ORDER BY is_test',
      [caller.merchantId],
    )
    expect(lanes.map(({ consecutive_failures }) => consecutive_failures)).toEqual([30, 0])
  })
})

describe('a test of the webhook', () => {
  const ping = (isTest = true) => service.webhook.as(caller).testOutboundWebhook({ is_test: isTest })

  test('sends a signed webhook.ping at once, tells what came back and stores nothing', async () => {
    target.respond(() => ({ status: 418, body: 'short and stout' }))
    await service.patch(caller, { url: target.url, enabled: true })
    const { event_id, attempt } = await ping()
    expect(attempt).toMatchObject({ attempt: 1, status_code: 418, response_snippet: 'short and stout' })
    const request = await target.waitFor(({ body }) => body.includes(event_id))
    expect(request.headers['x-service-event']).toBe('webhook.ping')
    expect(request.headers['x-service-signature']).toMatch(/^v1=[0-9a-f]{64}$/)
    expect(request.json()).toMatchObject({ event: 'webhook.ping', merchant_id: caller.merchantId })
    expect((await service.delivery.as(caller).listDeliveries({ limit: 0, offset: 0 })).total).toBe(0)
    expect((await service.event.as(caller).listEvents({ limit: 0 })).envelopes_json).toEqual([])
  })

  test.each([...SIX, ...OPT_IN])(
    'sends a signed sample of %s, which says that it is one and of nothing live, and is not listed for it',
    async (event) => {
      target.respond(() => ({ status: 204 }))
      await service.patch(caller, { url: target.url, enabled: true, events: { events: ['order.created'] } })
      const { event_id, attempt } = await service.webhook.as(caller).testOutboundWebhook({ is_test: false, event })
      expect(attempt).toMatchObject({ attempt: 1, status_code: 204 })
      const request = await target.waitFor(({ body }) => body.includes(event_id))
      expect(request.headers['x-service-event']).toBe(event)
      expect(request.headers['x-service-signature']).toMatch(/^v1=[0-9a-f]{64}$/)
      const schema = event.startsWith('withdrawal.')
        ? withdrawalWebhook
        : event.startsWith('wallet.')
          ? topupWebhook
          : orderWebhook
      const body = schema.parse(request.json()) as Record<string, unknown>
      expect(body).toMatchObject({ event, event_id, merchant_id: caller.merchantId, sample: true })
      const { order, withdrawal, is_test } = body as {
        order?: { is_test: boolean }
        withdrawal?: object
        is_test?: boolean
      }
      expect(order ? order.is_test : is_test).toBe(true)
      if (order) expect(order).toMatchObject({ merchant_id: caller.merchantId })
      if (withdrawal) expect(withdrawal).toMatchObject({ owner_id: caller.merchantId })
      expect((await service.delivery.as(caller).listDeliveries({ limit: 0, offset: 0 })).total).toBe(0)
    },
  )

  test('sends no sample of what is no event', async () => {
    await service.patch(caller, { url: target.url, enabled: true })
    await expect(
      service.webhook.as(caller).testOutboundWebhook({ is_test: false, event: 'order.eaten' }),
    ).rejects.toMatchObject({ code: 'validation_error', details: { field: 'event' } })
  })

  test('tells that nobody listens', async () => {
    const gone = await receiver()
    await gone.close()
    await service.patch(caller, { url: gone.url, enabled: true })
    expect((await ping()).attempt).toMatchObject({ error: 'connection failed: ECONNREFUSED', status_code: undefined })
  })

  test('without a URL is refused, naming the field', async () => {
    await expect(ping()).rejects.toMatchObject({ code: 'validation_error', details: { field: 'url' } })
  })

  test('to a receiver that hangs ends after 12 s', async () => {
    const hanging = await receiver({ respond: () => new Promise(() => {}) })
    try {
      await service.patch(caller, { url: hanging.url, enabled: true })
      const { attempt } = await ping()
      expect(attempt).toMatchObject({ error: 'no answer within 12 s', status_code: undefined })
      expect(attempt?.duration_ms).toBeGreaterThanOrEqual(11_900)
      expect(attempt?.duration_ms).toBeLessThan(30_000)
    } finally {
      await hanging.close()
    }
  })
})

describe('the service', () => {
  test('is ready, and shows its backlog, attempts and latency to Prometheus', async () => {
    await service.patch(caller, { url: target.url, enabled: true })
    await service.announce({ merchantId: caller.merchantId })
    await target.waitFor(({ headers }) => headers['x-service-event'] === 'order.created')
    await eventually(async () => {
      const text = await (await fetch(`http://${service.opsAddress}/metrics`)).text()
      for (const name of [
        'webhook_backlog{state="due"',
        'webhook_attempts_total{',
        'webhook_event_to_post_seconds_bucket',
        'webhook_held_facts',
      ]) {
        expect(text).toContain(name)
      }
    })
    const ready = await fetch(`http://${service.opsAddress}/health/ready`)
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok', checks: { database: 'ok', kafka: 'ok' } }])
  })
})
