import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { eventually, merchantCaller, type Receiver, receiver, waitingFor } from '@svc/testing'
import pg from 'pg'
import { type OrderFactInput, orderMessage, startWebhook, type TestWebhook } from './start-webhook.ts'

interface Envelope {
  cursor: string
  event: string
  event_id: string
  sequence: number
  order: { id: string; is_test: boolean; status: string }
}

let service: TestWebhook
let target: Receiver

beforeAll(async () => {
  service = await startWebhook()
  target = await receiver()
})
afterAll(async () => {
  await service?.stop()
  await target?.close()
})

const tenant = (overrides: Partial<Caller> = {}) => merchantCaller(overrides) as Caller & { merchantId: string }

async function logOf(caller: Caller, orderId?: string): Promise<Envelope[]> {
  const { envelopes_json } = await service.event.as(caller).listEvents({ limit: 200, order_id: orderId })
  return envelopes_json.map((text) => JSON.parse(text) as Envelope)
}

const logged = (caller: Caller, count: number) =>
  eventually(async () => {
    const events = await logOf(caller)
    return events.length === count ? events : false
  })

const step = (merchantId: string, orderId: string, version: number, type: string): OrderFactInput => ({
  merchantId,
  orderId,
  version,
  type,
})

describe('the event log', () => {
  test('keeps facts behind a gap until it closes, and then has every event of the order once and in order', async () => {
    const caller = tenant()
    const orderId = randomUUID()
    const at = (version: number, type: string) => step(caller.merchantId, orderId, version, type)
    await service.announce(at(4, 'order.accepted'), at(3, 'order.rider_assigned'))
    await service.announce(at(1, 'order.created'))
    await logged(caller, 1)
    await eventually(async () => {
      const held = await service.sql('SELECT version FROM held_fact WHERE order_id = $1 ORDER BY version', [orderId])
      expect(held).toEqual([{ version: 3 }, { version: 4 }])
    })
    await service.announce(at(2, 'order.cancelled'))
    const events = await logged(caller, 3)
    expect(events.map(({ event, sequence }) => [event, sequence])).toEqual([
      ['order.created', 1],
      ['order.rider_assigned', 2],
      ['order.accepted', 3],
    ])
    expect(await service.sql('SELECT 1 FROM held_fact WHERE order_id = $1', [orderId])).toEqual([])
  })

  test('absorbs facts that come twice, in one batch or later', async () => {
    const caller = tenant()
    const orderId = randomUUID()
    await service.patch(caller, { url: target.url, enabled: true })
    const facts = [
      step(caller.merchantId, orderId, 1, 'order.created'),
      step(caller.merchantId, orderId, 2, 'order.accepted'),
    ]
    await service.announce(...facts, ...facts)
    await service.announce(...facts)
    await service.announce(step(caller.merchantId, orderId, 3, 'order.picked_up'))
    const events = await logged(caller, 3)
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
    await eventually(async () => {
      const { items, total } = await service.delivery.as(caller).listDeliveries({ limit: 0, offset: 0 })
      expect(total).toBe(3)
      expect(items.every(({ status }) => status === 'succeeded')).toBe(true)
    })
    const received = target.requests.filter(({ body }) => body.includes(orderId))
    expect(received).toHaveLength(3)
  })

  test('has a muted event, under its sequence number, and no delivery of it', async () => {
    const caller = tenant()
    const orderId = randomUUID()
    await service.patch(caller, { url: target.url, enabled: true })
    await service.announce(
      { merchantId: caller.merchantId, orderId, fact: { muted: true } },
      step(caller.merchantId, orderId, 2, 'order.accepted'),
    )
    await logged(caller, 2)
    const { items } = await service.delivery.as(caller).listDeliveries({ limit: 0, offset: 0 })
    expect(items.map(({ event }) => event)).toEqual(['order.accepted'])
  })

  test('has what was not delivered: endpoint off, or event not wanted', async () => {
    const caller = tenant()
    await service.announce({ merchantId: caller.merchantId })
    await logged(caller, 1)
    await service.patch(caller, { url: target.url, enabled: true, events: { events: ['order.accepted'] } })
    await service.announce({ merchantId: caller.merchantId })
    await logged(caller, 2)
    const { total } = await service.delivery.as(caller).listDeliveries({ limit: 0, offset: 0 })
    expect(total).toBe(0)
  })

  test('is read page by page without loss or repetition, while it grows', async () => {
    const caller = tenant()
    const reader = service.event.as(caller)
    const announced: string[] = []
    const read: string[] = []
    let after: string | undefined
    for (let round = 0; round < 8; round++) {
      announced.push(
        ...(await service.announce(...Array.from({ length: 5 }, () => ({ merchantId: caller.merchantId })))),
      )
      const page = await reader.listEvents({ limit: 3, after })
      read.push(...page.envelopes_json.map((text) => (JSON.parse(text) as Envelope).event_id))
      after = page.next_cursor ?? after
    }
    await eventually(async () => {
      const page = await reader.listEvents({ limit: 3, after })
      read.push(...page.envelopes_json.map((text) => (JSON.parse(text) as Envelope).event_id))
      after = page.next_cursor ?? after
      return read.length >= announced.length
    })
    expect(read.toSorted()).toEqual(announced.toSorted())
    expect((await reader.listEvents({ limit: 3, after })).next_cursor).toBeUndefined()
  })

  test('goes on behind any of its events, whose cursor each of them tells', async () => {
    const caller = tenant()
    await service.announce(...Array.from({ length: 4 }, () => ({ merchantId: caller.merchantId })))
    const events = await logged(caller, 4)
    for (const [index, { cursor }] of events.entries()) {
      const { envelopes_json } = await service.event.as(caller).listEvents({ limit: 200, after: cursor })
      expect(envelopes_json.map((text) => JSON.parse(text))).toEqual(events.slice(index + 1))
    }
  })

  test('says where it ends, in one call: what was there does not come after it, what comes later does', async () => {
    const caller = tenant()
    const reader = service.event.as(caller)
    expect(await reader.listEvents({ limit: 200, after: 'latest' })).toEqual({ envelopes_json: [], next_cursor: '0' })
    await service.announce({ merchantId: caller.merchantId }, { merchantId: caller.merchantId, isTest: false })
    await logged({ ...caller, isTest: null }, 2)
    // The positions of both environments are of one log: either end is one for both.
    const { next_cursor: end } = await reader.listEvents({ limit: 1, after: 'latest', order_id: randomUUID() })
    const [eventId] = await service.announce({ merchantId: caller.merchantId })
    await logged(caller, 2)
    const { envelopes_json } = await reader.listEvents({ limit: 200, after: end })
    expect(envelopes_json.map((text) => (JSON.parse(text) as Envelope).event_id)).toEqual([eventId])
  })

  test('has whatever is committed after its end was told behind that end, however early it was begun', async () => {
    const caller = tenant()
    const reader = service.event.as(caller)
    await service.announce({ merchantId: caller.merchantId })
    const [{ order }] = (await logged(caller, 1)) as [Envelope]
    const early = new pg.Client({ connectionString: service.database.workerUrl })
    await early.connect()
    try {
      const eventId = randomUUID()
      const envelope = JSON.stringify({ event: 'order.accepted', event_id: eventId })
      const event: unknown[] = [order.id, null, 2, caller.merchantId, true, eventId]
      event.push('order.accepted', envelope, null, new Date(), false)
      await early.query('BEGIN')
      await early.query(
        "SELECT append_events('{}', '{}', '{}', $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        event.map((value) => [value]),
      )
      const { next_cursor: end } = await reader.listEvents({ limit: 1, after: 'latest' })
      const [late] = await service.announce({ merchantId: caller.merchantId })
      // It waits for the position that the early one has taken: nothing becomes visible beyond what is not yet.
      await eventually(async () => {
        const waiting = await service.sql(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'
          AND datname = current_database() AND query LIKE '%append_events%'`)
        return waiting.length === 1
      })
      expect((await reader.listEvents({ limit: 200, after: end })).envelopes_json).toEqual([])
      await early.query('COMMIT')
      await logged(caller, 3)
      const { envelopes_json } = await reader.listEvents({ limit: 200, after: end })
      expect(envelopes_json.map((text) => (JSON.parse(text) as Envelope).event_id)).toEqual([eventId, late])
    } finally {
      await early.end()
    }
  })

  test('shows a test key test events only, a live key live ones only, and a login both', async () => {
    const caller = tenant()
    await service.announce({ merchantId: caller.merchantId }, { merchantId: caller.merchantId, isTest: false })
    await logged({ ...caller, isTest: null }, 2)
    expect((await logOf(caller)).map(({ order }) => order.is_test)).toEqual([true])
    expect((await logOf({ ...caller, isTest: false })).map(({ order }) => order.is_test)).toEqual([false])
  })

  test("never shows another merchant's events, by filter or otherwise", async () => {
    const [owner, stranger] = [tenant(), tenant()]
    const orderId = randomUUID()
    await service.announce({ merchantId: owner.merchantId, orderId })
    await logged(owner, 1)
    expect(await logOf(stranger)).toEqual([])
    expect(await logOf(stranger, orderId)).toEqual([])
  })

  test('needs orders:read or webhooks:manage', async () => {
    const none = tenant({ scopes: ['riders:location'] })
    await expect(logOf(none)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await logOf(tenant({ scopes: ['orders:read'] }))).toEqual([])
    expect(await logOf(tenant({ scopes: ['webhooks:manage'] }))).toEqual([])
  })

  test.each(['x', '-1', '1.5', '9'.repeat(20)])('refuses the cursor %p', async (after) => {
    await expect(service.event.as(tenant()).listEvents({ limit: 0, after })).rejects.toMatchObject({
      code: 'validation_error',
      details: expect.objectContaining({ field: 'after' }),
    })
  })

  test('takes concurrent batches of one merchant without a gap in cursors or sequences', async () => {
    const caller = tenant()
    const orders = Array.from({ length: 40 }, () => randomUUID())
    const types = ['order.created', 'order.rider_assigned', 'order.accepted', 'order.picked_up', 'order.delivered']
    await Promise.all(
      types.map((type, index) => service.announce(...orders.map((id) => step(caller.merchantId, id, index + 1, type)))),
    )
    await eventually(async () => {
      const [row] = await service.sql<{ events: string; last: string; orders: string }>(
        `SELECT count(*) AS events, max(cursor) AS last, count(DISTINCT order_id) FILTER (WHERE sequence = 5) AS orders
           FROM event_log WHERE merchant_id = $1`,
        [caller.merchantId],
      )
      expect(row).toEqual({ events: '200', last: '200', orders: '40' })
    })
  })
})

describe('an event that has to be listed', () => {
  const journey = [
    'order.created',
    'dispatch.delayed',
    'order.rider_assigned',
    'order.accepted',
    'order.rider_arrived_pickup',
    'order.eta_changed',
    'order.picked_up',
  ]
  const facts = (merchantId: string, orderId: string) =>
    journey.map((type, index) => step(merchantId, orderId, index + 1, type))
  const told = (events: Envelope[]) => events.map(({ event, sequence }) => [event, sequence])

  test('does not exist for a merchant that lists nothing: no entry, no delivery, no gap in the sequence', async () => {
    const caller = tenant()
    await service.patch(caller, { url: target.url, enabled: true })
    await service.announce(...facts(caller.merchantId, randomUUID()))
    expect(told(await logged(caller, 4))).toEqual([
      ['order.created', 1],
      ['order.rider_assigned', 2],
      ['order.accepted', 3],
      ['order.picked_up', 4],
    ])
    const { total } = await service.delivery.as(caller).listDeliveries({ limit: 0, offset: 0 })
    expect(total).toBe(4)
  })

  test('is logged, numbered and delivered where it is listed, also from behind a gap', async () => {
    const [caller, bystander] = [tenant(), tenant()]
    const orderId = randomUUID()
    const wanted = ['order.rider_arrived_pickup', 'order.eta_changed', 'dispatch.delayed']
    await service.patch(caller, { url: target.url, enabled: true, events: { events: wanted } })
    const [created, ...others] = facts(caller.merchantId, orderId)
    const eta = { dropoff_p50_at: '2030-01-01T10:00:00.000Z' }
    const withEta = others.map((fact) => (fact.type === 'order.eta_changed' ? { ...fact, order: { eta } } : fact))
    await service.announce(...withEta, ...facts(bystander.merchantId, randomUUID()))
    await logged(bystander, 4)
    await service.announce(created as OrderFactInput)
    expect(told(await logged(caller, 7))).toEqual(journey.map((type, index) => [type, index + 1]))
    const received = await eventually(() => {
      const bodies = target.requests
        .filter(({ body }) => body.includes(orderId))
        .map(({ body }) => JSON.parse(String(body)) as Envelope)
      return bodies.length === 3 && bodies
    })
    expect(received.map(({ event }) => event).toSorted()).toEqual(wanted.toSorted())
    expect(received.find(({ event }) => event === 'order.eta_changed')).toMatchObject({
      sequence: 6,
      eta: { ...eta, pickup_p50_at: null },
    })
  })

  test('counts from when it is listed until it is not, and never moves a number that was given', async () => {
    const caller = tenant()
    const orderId = randomUUID()
    const list = (...events: string[]) => service.patch(caller, { events: { events } })
    const tell = (version: number) =>
      service.announce(step(caller.merchantId, orderId, version, version === 1 ? 'order.created' : 'order.eta_changed'))
    await tell(1)
    await tell(2)
    await eventually(async () => {
      const [stream] = await service.sql<{ last_version: number }>(
        'SELECT last_version FROM order_stream WHERE order_id = $1',
        [orderId],
      )
      return stream?.last_version === 2
    })
    await list('order.eta_changed')
    await tell(3)
    await logged(caller, 2)
    await list('order.created')
    await tell(4)
    await service.announce(step(caller.merchantId, orderId, 5, 'order.picked_up'))
    expect(told(await logged(caller, 3))).toEqual([
      ['order.created', 1],
      ['order.eta_changed', 2],
      ['order.picked_up', 3],
    ])
  })
})

describe('a replay', () => {
  test('queues logged events that were never delivered, under the event ids they always had', async () => {
    const caller = tenant()
    const since = new Date(Date.now() - 60_000).toISOString()
    const ids = await service.announce({ merchantId: caller.merchantId }, { merchantId: caller.merchantId })
    await logged(caller, 2)
    await service.patch(caller, { url: target.url, enabled: true })
    expect(await service.event.as(caller).replayEvents({ since, events: [] })).toEqual({ queued: 2 })
    for (const id of ids) await target.waitFor(({ body }) => body.includes(id))
  })

  test('sends a delivered event again as the same delivery, with the same bytes', async () => {
    const caller = tenant()
    await service.patch(caller, { url: target.url, enabled: true })
    const [eventId = ''] = await service.announce({ merchantId: caller.merchantId })
    await eventually(async () => {
      const { items } = await service.delivery.as(caller).listDeliveries({ limit: 0, offset: 0 })
      return items[0]?.status === 'succeeded'
    })
    const since = new Date(Date.now() - 60_000).toISOString()
    const none = await service.event.as(caller).replayEvents({ since, events: [], status: 'dead' })
    const other = await service.event.as(caller).replayEvents({ since, events: ['order.accepted'] })
    const all = await service.event.as(caller).replayEvents({ since, events: [], status: 'succeeded' })
    expect([none.queued, other.queued, all.queued]).toEqual([0, 0, 1])
    await eventually(() => {
      const bodies = target.requests.flatMap(({ body }) => (body.includes(eventId) ? [body.toString()] : []))
      expect(bodies).toHaveLength(2)
      expect(new Set(bodies).size).toBe(1)
    })
  })

  test('takes the deliveries in the order in which their results are stored: neither waits for the other for good', async () => {
    const caller = tenant()
    await service.patch(caller, { url: target.url, enabled: true })
    const since = new Date(Date.now() - 60_000).toISOString()
    await service.announce(...Array.from({ length: 8 }, () => ({ merchantId: caller.merchantId })))
    await eventually(async () => {
      const { items } = await service.delivery.as(caller).listDeliveries({ limit: 10, offset: 0 })
      expect(items.map(({ status }) => status)).toEqual(Array(8).fill('succeeded'))
    })
    const byId = await service.sql<{ id: string }>('SELECT id FROM delivery WHERE merchant_id = $1 ORDER BY id', [
      caller.merchantId,
    ])
    const results = new pg.Client({ connectionString: service.database.workerUrl })
    await results.connect()
    try {
      await results.query('BEGIN')
      await results.query('SELECT FROM delivery WHERE id = $1 FOR UPDATE', [byId[0]?.id])
      const replay = service.event.as(caller).replayEvents({ since, events: [] })
      await eventually(async () => (await waitingFor(results)) === 1)
      for (const { id } of byId.slice(1)) {
        await results.query('SELECT FROM delivery WHERE id = $1 FOR UPDATE NOWAIT', [id])
      }
      await results.query('COMMIT')
      expect(await replay).toEqual({ queued: 8 })
    } finally {
      await results.end()
    }
  })

  test('of a disabled endpoint or an empty period is refused, naming the field', async () => {
    const caller = tenant()
    const replay = (since: string, until?: string) =>
      service.event.as(caller).replayEvents({ since, until, events: [] })
    const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'] as const
    await expect(replay(early)).rejects.toMatchObject({ code: 'validation_error', details: { field: 'enabled' } })
    await expect(replay(late, early)).rejects.toMatchObject({ code: 'validation_error', details: { field: 'until' } })
    await expect(
      service.event.as(caller).replayEvents({ since: early, events: ['order.created', 'order.creatd'] }),
    ).rejects.toMatchObject({ code: 'validation_error', details: { field: 'events[1]', rule: 'enum' } })
  })
})

describe('row-level security', () => {
  test('a query without a tenant fails in every tenant table, and a tenant sees its own rows only', async () => {
    const [owner, stranger] = [tenant(), tenant()]
    await service.patch(owner, { url: target.url, enabled: true })
    await service.announce({ merchantId: owner.merchantId })
    await eventually(async () => (await service.delivery.as(owner).listDeliveries({ limit: 0, offset: 0 })).total === 1)
    const app = new pg.Client({ connectionString: service.database.url })
    await app.connect()
    try {
      for (const table of ['endpoint', 'event_log', 'delivery', 'queued_delivery', 'attempt', 'lane', 'alert']) {
        await expect(app.query(`SELECT * FROM ${table}`)).rejects.toThrow()
      }
      for (const [merchantId, expected] of [
        [owner.merchantId, 1],
        [stranger.merchantId, 0],
      ] as const) {
        await app.query(`SELECT set_config('app.tenant_id', $1, false)`, [merchantId])
        for (const table of ['endpoint', 'event_log', 'delivery']) {
          expect((await app.query(`SELECT 1 FROM ${table}`)).rowCount).toBe(expected)
        }
      }
      for (const table of ['order_stream', 'held_fact', 'event_cursor', 'merchant']) {
        await expect(app.query(`SELECT * FROM ${table}`)).rejects.toThrow('permission denied')
      }
    } finally {
      await app.end()
    }
  })
})

describe('a fact that cannot be an event', () => {
  test('is parked with its order and holds up no other', async () => {
    const caller = tenant()
    const topic = `${service.env.TOPIC_PREFIX}svc.order.v1`
    const broken = orderMessage(topic, { merchantId: caller.merchantId })
    await service.send([{ ...broken, payload: Buffer.from([0xff, 0xff, 0xff]) }])
    await service.announce({ merchantId: caller.merchantId })
    await logged(caller, 1)
    await eventually(async () => {
      const parked = await service.sql('SELECT 1 FROM parked WHERE event_id = $1', [broken.headers.ce_id])
      expect(parked).toHaveLength(1)
    })
  })
})
