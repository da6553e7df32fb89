import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { OrderFact } from '@svc/contracts/order/v1/order'
import { kafkaProducer } from '@svc/kafka'
import { eventually, merchantCaller, testServers } from '@svc/testing'
import { eventIdOf } from '@svc/transact'
import { readBillingAccount } from '../src/db/billing-accounts.ts'
import { startWallet, type TestWallet } from './start-wallet.ts'

let wallet: TestWallet
let producer: ReturnType<typeof kafkaProducer>
beforeAll(async () => {
  wallet = await startWallet()
  producer = kafkaProducer({ brokers: (await testServers()).kafkaBrokers, clientId: 'test' })
})
afterAll(async () => {
  await producer.stop()
  await wallet.stop()
})

const usage = (merchantId: string) => wallet.billing.as(merchantCaller({ merchantId })).getBillingUsage({})

interface Delivered {
  orderId?: string
  isTest?: boolean
  version?: number
  at?: Date
}

/** Announces deliveries as the order service does. */
async function deliver(merchantId: string, deliveries: readonly Delivered[]): Promise<void> {
  const type = 'order.delivered'
  const messages = deliveries.map(({ orderId = randomUUID(), isTest = false, version = 5, at = new Date() }) => ({
    topic: `${wallet.context.config.topicPrefix}svc.order.v1`,
    key: orderId,
    payload: Buffer.from(OrderFact.encode(OrderFact.fromPartial({ order: { id: orderId } })).finish()),
    headers: {
      ce_specversion: '1.0',
      ce_id: eventIdOf(orderId, type, version),
      ce_type: type,
      ce_source: 'order',
      ce_time: at.toISOString(),
      ce_aggregateversion: String(version),
      ce_merchantid: merchantId,
      ce_istest: String(isTest),
    },
  }))
  // A topic that was made a moment ago may have no leader yet.
  await eventually(() => producer.send(messages))
}

/** As the read model has it. */
async function merchantWith(terms: object): Promise<string> {
  const id = randomUUID()
  const row = {
    id,
    currency: 'NGN',
    merchant_tier: 'hybrid',
    billing_status: 'active',
    kyb_status: 'verified',
    version: 1,
  }
  const columns = Object.entries({ ...row, ...terms })
  await wallet.sql(
    `INSERT INTO merchants (${columns.map(([name]) => name).join(', ')})
     VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    columns.map(([, value]) => value),
  )
  return id
}

const DAY_MS = 86_400_000

describe('what a cycle counts', () => {
  test('is each live order at its first delivery, once however often it is delivered again', async () => {
    const merchantId = await merchantWith({ billing_included_allowance: 4, billing_overage_fee_minor: 2_500 })
    const orderId = randomUUID()
    await deliver(merchantId, [
      { orderId },
      { orderId, version: 9 },
      {},
      { isTest: true },
      { at: new Date(Date.now() - 70 * DAY_MS) },
    ])
    await deliver(randomUUID(), [{}, {}])
    await deliver(merchantId, [{ orderId }, {}])
    await eventually(async () => (await usage(merchantId)).deliveries_used === 3)
    expect(await usage(merchantId)).toEqual({
      deliveries_used: 3,
      included_allowance: 4,
      overage_fee_minor: 2_500,
      cycle_end: expect.any(String),
      usage_percent: 75,
      over_allowance: false,
    })
    await deliver(merchantId, [{}, {}])
    await eventually(async () => (await usage(merchantId)).over_allowance)
    const rows = await wallet.sql('SELECT FROM billed_deliveries WHERE merchant_id = $1', [merchantId])
    expect(rows).toHaveLength(6)
  })

  test('is nothing for a merchant that is not known here yet', async () => {
    expect(await usage(randomUUID())).toMatchObject({ deliveries_used: 0, overage_fee_minor: 0, over_allowance: false })
  })

  test('has an allowance for the hybrid tier alone', async () => {
    const merchantId = await merchantWith({ merchant_tier: 'saas', billing_included_allowance: 4 })
    expect(await usage(merchantId)).toMatchObject({ included_allowance: undefined, usage_percent: undefined })
  })
})

describe('a cycle', () => {
  test.each([
    ['the calendar month of the merchant’s timezone', null, '2026-11-21T12:00:00Z', '2026-11-30T23:00:00Z'],
    ['the month that has begun there already', null, '2026-11-30T23:30:00Z', '2026-12-31T23:00:00Z'],
    ['the paid period', '2026-12-05T10:00:00Z', '2026-11-21T12:00:00Z', '2026-12-05T10:00:00Z'],
    ['a month of a paid year', '2027-10-05T10:00:00Z', '2026-11-21T12:00:00Z', '2026-12-05T10:00:00Z'],
    ['a calendar month after the paid period', '2026-11-05T10:00:00Z', '2026-11-21T12:00:00Z', '2026-11-30T23:00:00Z'],
    ['a short month of a paid year', '2027-05-31T10:00:00Z', '2027-02-10T12:00:00Z', '2027-02-28T10:00:00Z'],
    ['the month after it', '2027-05-31T10:00:00Z', '2027-02-28T10:00:00Z', '2027-03-31T10:00:00Z'],
  ])('is %s', async (_what, billing_period_end, now, cycleEnd) => {
    const merchantId = await merchantWith({ billing_period_end })
    const at = (time: Date) =>
      wallet.context.transact('every tenant', ({ sql }) => readBillingAccount({ sql, now: time }, merchantId))
    const { cycleStart, cycleEnd: end } = await at(new Date(now))
    expect(end.toISOString()).toBe(new Date(cycleEnd).toISOString())
    // The one before ends where this one begins, so that no delivery is counted twice or not at all.
    const before = await at(new Date(cycleStart.getTime() - 1))
    if (billing_period_end !== '2026-11-05T10:00:00Z') expect(before.cycleEnd).toEqual(cycleStart)
  })
})
