import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import type { FactMessage } from '@svc/kafka'
import { eventually, merchantCaller, type Receiver, receiver } from '@svc/testing'
import { topupMessage, withdrawalMessage } from './money-facts.ts'
import { startWebhook, type TestWebhook } from './start-webhook.ts'

type Tenant = Caller & { merchantId: string }

const SECRET = 'a secret of the merchant'
const STEPS = ['withdrawal.requested', 'withdrawal.approved', 'withdrawal.processing', 'withdrawal.paid']
const ALL = [...STEPS, 'withdrawal.failed', 'withdrawal.rejected', 'withdrawal.cancelled', 'wallet.topup_credited']

let service: TestWebhook
let target: Receiver

beforeAll(async () => {
  service = await startWebhook()
})
afterAll(() => service?.stop())
beforeEach(async () => {
  target = await receiver()
})
afterEach(() => target?.close())

async function merchant(events?: string[]): Promise<Tenant> {
  const caller = merchantCaller({ isTest: false }) as Tenant
  await service.patch(caller, { url: target.url, enabled: true, secret: SECRET, events: events && { events } })
  return caller
}

const steps = (id: string, merchantId?: string) =>
  STEPS.map((type, index) => withdrawalMessage(service, { id, version: index + 1, type, merchantId }))

const topup = ({ merchantId }: Tenant, options?: { isTest?: boolean }) =>
  topupMessage(
    service,
    { reference: `tu-${randomUUID()}`, merchant_id: merchantId, amount_minor: 2_000_000, currency: 'NGN' },
    options,
  )

/** Sends facts and waits until each has been handled. */
async function tell(...facts: FactMessage[]): Promise<void> {
  await service.send(facts)
  const ids = [...new Set(facts.map(({ headers }) => headers['ce_id']))]
  await eventually(async () => {
    const handled = await service.sql('SELECT 1 FROM inbox WHERE event_id = ANY ($1::uuid[])', [ids])
    return handled.length === ids.length
  })
}

async function logOf(caller: Caller, orderId?: string): Promise<Array<Record<string, unknown>>> {
  const { envelopes_json } = await service.event.as(caller).listEvents({ limit: 200, order_id: orderId })
  return envelopes_json.map((text) => JSON.parse(text))
}

const told = async (caller: Caller) => (await logOf(caller)).map(({ event, sequence }) => [event, sequence])

const deliveriesOf = async (caller: Caller) =>
  (await service.delivery.as(caller).listDeliveries({ limit: 200, offset: 0 })).items

const settled = (caller: Caller, status: string) =>
  eventually(async () => {
    const items = await deliveriesOf(caller)
    return items.length > 0 && items.every((item) => item.status === status) ? items : false
  })

describe('a withdrawal of a merchant that lists its events', () => {
  test('is told step by step in the order of its versions, whatever order they arrive in', async () => {
    const caller = await merchant(ALL)
    const [requested, approved, processing, paid] = steps(randomUUID(), caller.merchantId)
    await tell(paid!, processing!)
    expect(await told(caller)).toEqual([])
    await tell(requested!)
    await tell(approved!)
    expect(await told(caller)).toEqual(STEPS.map((event, index) => [event, index + 1]))
    expect(await settled(caller, 'succeeded')).toHaveLength(4)
  })

  test('arrives signed over its raw bytes, as its owner reads it from the API, and belongs to no order', async () => {
    const caller = await merchant(['withdrawal.requested'])
    const id = randomUUID()
    const fact = withdrawalMessage(service, {
      id,
      version: 1,
      type: 'withdrawal.requested',
      merchantId: caller.merchantId,
      withdrawal: { amount_minor: Number.MAX_SAFE_INTEGER, payout_instrument_id: id, approvals: 1 },
    })
    await tell(fact)
    const request = await target.waitFor(() => true)
    expect(request.headers).toMatchObject({
      'x-service-event': 'withdrawal.requested',
      'x-service-signature': `v1=${createHmac('sha256', SECRET).update(request.body).digest('hex')}`,
    })
    expect(request.headers).not.toHaveProperty('x-service-environment')
    const [delivery] = await settled(caller, 'succeeded')
    expect(delivery).toMatchObject({ event: 'withdrawal.requested', order_id: undefined, is_test: false })
    expect(request.json()).toEqual({
      delivery_id: delivery!.id,
      event: 'withdrawal.requested',
      event_id: fact.headers['ce_id'],
      occurred_at: fact.headers['ce_time'],
      api_version: 'v1',
      sequence: 1,
      merchant_id: caller.merchantId,
      is_test: false,
      withdrawal: {
        id,
        owner_type: 'merchant',
        owner_id: caller.merchantId,
        amount_minor: 9_007_199_254_740_991,
        currency: 'NGN',
        status: 'pending_review',
        payout_instrument_id: id,
        account_last4: '6789',
        bank_code: '058',
        failure_reason: null,
        reviewed_by: null,
        reviewed_at: null,
        paid_at: null,
        provider_reference: null,
        created_at: '2026-11-21T10:00:00.000Z',
      },
    })
  })

  test('counts only what is listed, from when it is listed', async () => {
    const caller = await merchant(['withdrawal.approved', 'withdrawal.paid'])
    await tell(...steps(randomUUID(), caller.merchantId))
    expect(await told(caller)).toEqual([
      ['withdrawal.approved', 1],
      ['withdrawal.paid', 2],
    ])
  })

  test('is told once, however often its facts come', async () => {
    const caller = await merchant(ALL)
    const facts = steps(randomUUID(), caller.merchantId)
    const reversed = { id: facts[0]!.key, version: 5, type: 'withdrawal.failed', merchantId: caller.merchantId }
    await tell(...facts, ...facts)
    await tell(...facts, withdrawalMessage(service, reversed))
    expect(await told(caller)).toHaveLength(5)
    expect(await settled(caller, 'succeeded')).toHaveLength(5)
    expect(target.requests).toHaveLength(5)
  })

  test('and its money never delay or number the events of orders', async () => {
    const caller = await merchant([...ALL, 'order.created'])
    const orderId = randomUUID()
    const [, ...behindGap] = steps(randomUUID(), caller.merchantId)
    await tell(...behindGap, topup(caller))
    await service.announce({ merchantId: caller.merchantId, orderId, isTest: false })
    await eventually(async () => (await logOf(caller, orderId)).length === 1)
    expect(await told(caller)).toEqual([
      ['wallet.topup_credited', 1],
      ['order.created', 1],
    ])
  })
})

describe('a credited top-up', () => {
  test('is told with its reference and its money, as the first and only event of its kind', async () => {
    const caller = await merchant(['wallet.topup_credited'])
    const fact = topup(caller)
    await tell(fact)
    const request = await target.waitFor(() => true)
    const { delivery_id, ...envelope } = request.json() as Record<string, unknown>
    expect(await settled(caller, 'succeeded')).toMatchObject([{ id: delivery_id, order_id: undefined }])
    expect(envelope).toEqual({
      event: 'wallet.topup_credited',
      event_id: fact.headers['ce_id'],
      occurred_at: fact.headers['ce_time'],
      api_version: 'v1',
      sequence: 1,
      merchant_id: caller.merchantId,
      is_test: false,
      topup: { reference: expect.stringMatching(/^tu-/), amount_minor: 2_000_000, currency: 'NGN' },
    })
    expect(await logOf(caller)).toEqual([{ ...envelope, cursor: '1' }])
  })

  test('that could not be delivered is sent again by hand, as the same bytes', async () => {
    const caller = await merchant(['wallet.topup_credited'])
    target.respond(() => ({ status: 410 }))
    await tell(topup(caller))
    const [dead] = await settled(caller, 'dead')
    target.respond(() => ({ status: 200 }))
    await service.delivery.as(caller).retryDelivery({ id: dead!.id })
    await settled(caller, 'succeeded')
    expect(target.requests).toHaveLength(2)
    expect(target.requests[1]?.body).toEqual(target.requests[0]?.body)
  })
})

describe('events of money', () => {
  test('do not exist for a merchant that lists none: no entry, no delivery, nothing to replay', async () => {
    const caller = await merchant()
    await tell(...steps(randomUUID(), caller.merchantId), topup(caller))
    expect([await logOf(caller), await deliveriesOf(caller)]).toEqual([[], []])
    const since = new Date(Date.now() - 60_000).toISOString()
    expect(await service.event.as(caller).replayEvents({ since, events: [] })).toEqual({ queued: 0 })
  })

  test("never tell anybody of a rider's withdrawal, not even the merchant whose fleet the rider belongs to", async () => {
    const caller = await merchant(ALL)
    const [freelancers, fleets] = [randomUUID(), randomUUID()]
    const ofFleet = withdrawalMessage(service, {
      id: fleets,
      version: 1,
      type: 'withdrawal.requested',
      merchantId: caller.merchantId,
      withdrawal: { owner_type: 'rider', owner_id: randomUUID() },
    })
    await tell(...steps(freelancers), ofFleet)
    expect([await logOf(caller), await deliveriesOf(caller)]).toEqual([[], []])
    const ids = [[freelancers, fleets]]
    expect(await service.sql('SELECT 1 FROM event_log WHERE subject_id = ANY ($1)', ids)).toEqual([])
    expect(await service.sql('SELECT 1 FROM order_stream WHERE order_id = ANY ($1)', ids)).toEqual([])
  })

  test('are of live money only', async () => {
    const caller = await merchant(ALL)
    const { merchantId } = caller
    const type = 'withdrawal.requested'
    await tell(
      topup(caller, { isTest: true }),
      withdrawalMessage(service, { id: randomUUID(), version: 1, type, merchantId, isTest: true }),
    )
    expect(await logOf({ ...caller, isTest: null })).toEqual([])
  })

  test('are seen by nobody but their merchant, and not with its test keys', async () => {
    const [owner, stranger] = [await merchant(ALL), await merchant(ALL)]
    const withdrawalId = randomUUID()
    await tell(...steps(withdrawalId, owner.merchantId), topup(owner))
    const [delivery] = await settled(owner, 'succeeded')
    for (const other of [stranger, { ...owner, isTest: true }]) {
      expect([await logOf(other), await deliveriesOf(other)]).toEqual([[], []])
      await expect(service.delivery.as(other).retryDelivery({ id: delivery!.id })).rejects.toMatchObject({
        code: 'not_found',
      })
    }
    expect(await logOf(owner, withdrawalId)).toEqual([])
    expect(await logOf(owner)).toHaveLength(5)
  })

  test('that were logged while the endpoint was off are replayed under the event ids they always had', async () => {
    const caller = await merchant(ALL)
    await service.patch(caller, { enabled: false })
    const facts = steps(randomUUID(), caller.merchantId)
    const credited = topup(caller)
    await tell(...facts, credited)
    expect(await logOf(caller)).toHaveLength(5)
    expect(await deliveriesOf(caller)).toEqual([])
    await service.patch(caller, { enabled: true })
    const since = new Date(Date.now() - 60_000).toISOString()
    const events = ['withdrawal.paid', 'wallet.topup_credited']
    expect(await service.event.as(caller).replayEvents({ since, events })).toEqual({ queued: 2 })
    const sent = await settled(caller, 'succeeded')
    expect(new Set(sent.map(({ event_id }) => event_id))).toEqual(
      new Set([facts[3]!, credited].map(({ headers }) => headers['ce_id'])),
    )
    expect(sent.map(({ order_id }) => order_id)).toEqual([undefined, undefined])
  })
})

test('the log never holds two events of one subject and number', async () => {
  const { merchantId } = await merchant()
  const subjectId = randomUUID()
  const log = (cursor: number, sequence: number) =>
    service.sql(
      `INSERT INTO event_log (merchant_id, cursor, is_test, subject_id, sequence, event_id, event, envelope, occurred_at)
       VALUES ($1, $2, false, $3, $4, gen_random_uuid(), 'withdrawal.paid', '{}', app_now())`,
      [merchantId, cursor, subjectId, sequence],
    )
  await log(1, 1)
  await log(2, 2)
  await expect(log(3, 2)).rejects.toThrow('event_log_subject')
})
