import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { BillingFact } from '@svc/contracts/wallet/v1/billing_service'
import { kafkaProducer } from '@svc/kafka'
import { adminCaller, eventually } from '@svc/testing'
import { eventIdOf } from '@svc/transact'
import { type Admin, patch, signUp, startAdmin, verify } from './start-admin.ts'

let admin: Admin
let producer: ReturnType<typeof kafkaProducer>
beforeAll(async () => {
  admin = await startAdmin()
  producer = kafkaProducer({ brokers: admin.env['KAFKA_BROKERS']!.split(','), clientId: 'test' })
})
afterAll(async () => {
  await producer.stop()
  await admin.stop()
})

const TYPE = 'billing.status_changed'

/** Announces, as the wallet does, where a merchant's subscriptions stand. */
async function announce(merchantId: string, version: number, fact: Partial<BillingFact>, times = 1): Promise<void> {
  const payload = BillingFact.encode(BillingFact.fromPartial({ merchant_id: merchantId, reason: 'test', ...fact }))
  const message = {
    topic: `${admin.env['TOPIC_PREFIX']}svc.wallet.v1`,
    key: merchantId,
    payload: Buffer.from(payload.finish()),
    headers: {
      ce_specversion: '1.0',
      ce_id: eventIdOf(merchantId, TYPE, version),
      ce_type: TYPE,
      ce_source: 'wallet',
      ce_time: new Date().toISOString(),
      ce_aggregateversion: String(version),
      ce_merchantid: merchantId,
      ce_istest: 'false',
    },
  }
  // A topic that was made a moment ago may have no leader yet.
  await eventually(() => producer.send(Array.from({ length: times }, () => message)))
}

const merchantOf = async (id: string) =>
  (await admin.merchants.as(adminCaller()).getMerchant({ id, include_kyb_payload: false })).merchant!

const versionOf = async (id: string, version: number) => {
  const merchant = await merchantOf(id)
  return merchant.version === version ? merchant : null
}

test('billing follows the subscription: announced, audited as an act of the system, and in every verdict from then on', async () => {
  const { merchantId, api_key } = await signUp(admin)
  const end = '2027-01-05T10:00:00.000Z'
  await announce(merchantId, 1, { billing_status: 'past_due', billing_period_end: end }, 3)
  const merchant = await eventually(() => versionOf(merchantId, 2))
  expect(merchant).toMatchObject({ billing_status: 'past_due', billing_period_end: end })
  expect((await verify(admin, api_key)).standing).toMatchObject({ billing_status: 'past_due' })
  const { rows: facts } = await admin.worker.query(
    `SELECT aggregate_version FROM outbox WHERE aggregate_id = $1 AND type = 'merchant.updated'`,
    [merchantId],
  )
  expect(facts).toEqual([{ aggregate_version: 2 }])
  const audit = await eventually(async () => {
    const { rows } = await admin.worker.query(
      `SELECT actor_type, actor_id, before_json, after_json FROM audit_log
        WHERE merchant_id = $1 AND action = 'merchant.update'`,
      [merchantId],
    )
    return rows[0] ?? null
  })
  expect(audit).toMatchObject({
    actor_type: 'system',
    actor_id: 'wallet',
    before_json: { billing_status: 'active', billing_period_end: null },
    after_json: { billing_status: 'past_due', billing_period_end: end },
  })
})

test('what the fact does not name stays, and a status that is there already leaves no trace', async () => {
  const { merchantId } = await signUp(admin)
  const end = '2027-01-05T10:00:00.000Z'
  await announce(merchantId, 1, { billing_status: 'canceled', billing_period_end: end })
  await announce(merchantId, 2, { billing_status: 'canceled' })
  await announce(merchantId, 3, { billing_status: 'active' })
  expect(await eventually(() => versionOf(merchantId, 3))).toMatchObject({
    billing_status: 'active',
    billing_period_end: end,
  })
})

test('news that comes after newer news is none', async () => {
  const { merchantId } = await signUp(admin)
  const end = '2027-01-05T10:00:00.000Z'
  await announce(merchantId, 2, { billing_status: 'past_due', billing_period_end: '2027-01-01T00:00:00.000Z' })
  await announce(merchantId, 1, { billing_status: 'canceled', billing_period_end: '2026-01-01T00:00:00.000Z' })
  await announce(merchantId, 3, { billing_period_end: end })
  await eventually(async () => (await merchantOf(merchantId)).billing_period_end === end)
  expect(await merchantOf(merchantId)).toMatchObject({ version: 3, billing_status: 'past_due' })
})

test('an operator’s compliance hold stays through every payment, while the period still moves', async () => {
  const { merchantId } = await signUp(admin)
  await patch(admin, merchantId, { billing_status: 'compliance_hold' })
  const end = '2027-02-05T10:00:00.000Z'
  await announce(merchantId, 1, { billing_status: 'active', billing_period_end: end })
  expect(await eventually(() => versionOf(merchantId, 3))).toMatchObject({
    billing_status: 'compliance_hold',
    billing_period_end: end,
  })
})

test.each(['compliance_hold', 'great'])(
  'a payment cannot make a merchant %s: such a fact is parked',
  async (status) => {
    const { merchantId } = await signUp(admin)
    await announce(merchantId, 1, { billing_status: status })
    await eventually(async () => {
      const { rows } = await admin.worker.query('SELECT FROM parked WHERE aggregate_id = $1', [merchantId])
      return rows.length === 1
    })
    expect((await merchantOf(merchantId)).billing_status).toBe('active')
  },
)
