import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { CashServiceService } from '@svc/contracts/wallet/v1/cash_service'
import { type Caller, systemCaller } from '@svc/grpc'
import { merchantCaller, riderCaller, testClient } from '@svc/testing'
import pg from 'pg'
import { expectLedgerHolds } from './ledger-invariants.ts'
import { operator, startPayouts, type TestPayouts } from './start-payouts.ts'

/** Above it, it takes two operators. */
const LIMIT = 50_000
const page = { limit: 0, offset: 0 }

let mesh: TestPayouts
let client: ReturnType<typeof testClient<typeof CashServiceService>>
/** Two people whom neither of them made, and whom admin knows from before. */
let one: Caller
let other: Caller
beforeAll(async () => {
  mesh = await startPayouts({ FOUR_EYES_ABOVE_MINOR: String(LIMIT) })
  client = testClient(CashServiceService, { address: mesh.service.address(), to: 'wallet' })
  one = await mesh.identity()
  other = await mesh.identity()
})
afterAll(async () => {
  await expectLedgerHolds(mesh.sql)
  client.close()
  await mesh.stop()
})

const refused = { code: 'second_approver_required' }

/** A rider who has so much of a merchant's live cash in hand. */
async function holding(amount_minor: number, isTest = false) {
  const merchant = merchantCaller({ isTest })
  const merchant_id = merchant.merchantId as string
  const rider_id = randomUUID()
  const rider = riderCaller(rider_id, isTest ? { isTest, merchantId: merchant_id } : {})
  const collect = (amount: number) => {
    const order_id = randomUUID()
    const of = { op_key: `cash:${order_id}`, order_id, merchant_id, rider_id, is_test: isTest }
    return client.as(systemCaller('order')).collectCash({ ...of, amount_minor: amount })
  }
  await collect(amount_minor)
  const account = async () => (await client.as(rider).getRiderCash(page)).items[0]!
  const declared = async (amount: number) =>
    (await client.as(rider).declareRemittance({ merchant_id, amount_minor: amount })).remittance!.id
  const disputed = async (amount: number) => {
    const id = await declared(amount)
    await client.as(merchant).disputeRemittance({ id, reason: 'nobody came' })
    return id
  }
  const short = async (amount: number, received_minor: number) => {
    const id = await declared(amount)
    await client.as(merchant).confirmRemittance({ id, received_minor, reason: 'notes were missing' })
    return id
  }
  const adjust = async (by: Caller, amount: number, key?: string) => {
    const idempotency = key === undefined ? undefined : { key, request_hash: Buffer.from(String(amount)) }
    const asked = { merchant_id, rider_id, amount_minor: amount, reason: 'lost', ...(idempotency && { idempotency }) }
    return (await client.as(by).adjustCash(asked)).adjustment!
  }
  return { merchant, merchant_id, rider, rider_id, collect, account, declared, disputed, short, adjust }
}

const resolve = async (by: Caller, id: string, received_minor: number) =>
  (await client.as(by).resolveRemittance({ id, received_minor, reason: 'seen' })).remittance!
const approve = (by: Caller, id: string) => client.as(by).approveCashAdjustment({ id })

describe('a difference about cash', () => {
  test('is listed until somebody has said the last word, live ones alone, the oldest first', async () => {
    const [live, sandbox] = [await holding(1_000), await holding(1_000, true)]
    const ids = [await live.disputed(100), await live.short(200, 150)]
    const plain = [await live.declared(300), await sandbox.disputed(100), await sandbox.short(100, 50)]
    const listed = async () => {
      const { items } = await client.as(operator()).listCashDifferences(page)
      return items.map(({ id }) => id).filter((id) => [...ids, ...plain].includes(id))
    }
    expect(await listed()).toEqual(ids)
    await resolve(operator(), ids[1]!, 150)
    expect(await listed()).toEqual([ids[0]])
    await resolve(operator(), ids[0]!, 0)
    expect(await listed()).toEqual([])
  })

  test('of a sandbox from before hand-overs said their environment is not among them', async () => {
    const id = await (await holding(1_000, true)).disputed(100)
    const owner = new pg.Client({ connectionString: mesh.database.ownerUrl })
    await owner.connect()
    try {
      await owner.query('BEGIN; ALTER TABLE cash_remittances NO FORCE ROW LEVEL SECURITY')
      const { rowCount } = await owner.query('UPDATE cash_remittances SET is_test = false WHERE id = $1', [id])
      await owner.query('ALTER TABLE cash_remittances FORCE ROW LEVEL SECURITY; COMMIT')
      expect(rowCount).toBe(1)
    } finally {
      await owner.end()
    }
    const { items, total } = await client.as(operator()).listCashDifferences(page)
    expect([items.map((item) => item.id).includes(id), total]).toEqual([false, items.length])
  })

  test('confirmed as less ends with what the merchant has, of what lies undeclared in the rider’s hands', async () => {
    const { short, declared, account } = await holding(1_000)
    const id = await short(1_000, 900)
    const blocking = await declared(80)
    await expect(resolve(operator(), id, 1_000)).rejects.toMatchObject({
      code: 'invalid_state',
      details: { undeclared_minor: 20 },
    })
    await expect(resolve(operator(), id, 800)).rejects.toMatchObject({ details: { field: 'received_minor' } })
    expect(await resolve(operator(), id, 920)).toMatchObject({ status: 'resolved', received_minor: 920 })
    expect((await account()).in_hand_minor).toBe(80)
    await expect(resolve(operator(), blocking, 80)).rejects.toMatchObject({ code: 'invalid_state' })
  })

  test('above the four-eyes limit is decided by two people who say the same', async () => {
    const { disputed, account } = await holding(60_000)
    const id = await disputed(60_000)
    const word = { status: 'disputed', received_minor: 0, proposed_minor: 60_000, proposed_by: one.actor.id }
    expect(await resolve(one, id, 60_000)).toMatchObject(word)
    await expect(resolve(one, id, 60_000)).rejects.toMatchObject(refused)
    const made = await mesh.identity(one)
    await expect(resolve(made, id, 60_000)).rejects.toMatchObject(refused)
    expect((await account()).in_hand_minor).toBe(60_000)

    // Another sum is a first word again, which the first person may follow.
    expect(await resolve(other, id, 55_000)).toMatchObject({ status: 'disputed', proposed_by: other.actor.id })
    await expect(resolve(other, id, 55_000)).rejects.toMatchObject(refused)
    const said = await Promise.all([1, 2].map(() => resolve(one, id, 55_000)))
    for (const end of said) expect(end).toMatchObject({ status: 'resolved', received_minor: 55_000 })
    expect((await account()).in_hand_minor).toBe(5_000)
  })
})

describe('an adjustment of cash', () => {
  test('takes effect at once up to the limit, once per key, and shows in the merchant’s statement', async () => {
    const { merchant, account, adjust } = await holding(1_000)
    const key = randomUUID()
    const ids = (await Promise.all([1, 2].map(() => adjust(one, -400, key)))).map(({ id, status }) => [id, status])
    expect(ids[0]).toEqual(ids[1])
    expect(ids[0]![1]).toBe('applied')
    await adjust(one, 50)
    expect(await account()).toMatchObject({ in_hand_minor: 650, adjusted_minor: -350 })
    const { items, totals } = await client.as(merchant).getCashStatement(page)
    expect(items.filter(({ entry_type }) => entry_type === 'cash_adjusted')).toMatchObject([
      { amount_minor: 50, description: 'lost' },
      { amount_minor: -400, description: 'lost' },
    ])
    expect(totals).toMatchObject([{ in_hand_minor: 650, adjusted_minor: -350 }])
  })

  test('takes no more than is in hand and not declared, of cash that there is, and never nothing', async () => {
    const { merchant_id, rider_id, declared, adjust, account } = await holding(1_000)
    await declared(700)
    const bad = (field: string, rule: string) => ({ code: 'validation_error', details: { field, rule } })
    await expect(adjust(one, -301)).rejects.toMatchObject(bad('amount_minor', 'min'))
    await expect(adjust(one, Number.MAX_SAFE_INTEGER)).rejects.toMatchObject(bad('amount_minor', 'max'))
    await expect(adjust(one, 0)).rejects.toMatchObject({ details: { field: 'amount_minor' } })
    const asked = { merchant_id, rider_id, amount_minor: 5, reason: 'x' }
    for (const stranger of [{ rider_id: randomUUID() }, { currency: 'GHS' }, { merchant_id: randomUUID() }])
      await expect(client.as(one).adjustCash({ ...asked, ...stranger })).rejects.toMatchObject(bad('rider_id', 'known'))
    await adjust(one, -300)
    expect((await account()).in_hand_minor).toBe(700)
  })

  test('above the limit waits for a second person, whom the first did not make, and applies once', async () => {
    const { account, adjust } = await holding(100_000)
    const { id, status } = await adjust(one, -LIMIT - 1)
    expect([status, (await account()).in_hand_minor]).toEqual(['pending', 100_000])
    for (const by of [one, await mesh.identity(one), await mesh.identity()])
      await expect(approve(by, id)).rejects.toMatchObject(refused)
    const said = await Promise.allSettled([approve(other, id), approve(other, id)])
    expect(said.map((end) => end.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(said.find((end) => end.status === 'rejected')).toMatchObject({ reason: { code: 'invalid_state' } })
    expect((await account()).in_hand_minor).toBe(49_999)
    await expect(client.as(one).rejectCashAdjustment({ id })).rejects.toMatchObject({ code: 'invalid_state' })
  })

  test('counts with decisions of the day, up and down, so that no two halves pass one person', async () => {
    const { account, adjust, disputed } = await holding(200_000)
    const both = await Promise.all([adjust(one, -30_000), adjust(one, 30_000)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['applied', 'pending'])
    const id = await disputed(25_000)
    expect(await resolve(one, id, 25_000)).toMatchObject({ status: 'disputed', proposed_minor: 25_000 })
    const pending = both.find(({ status }) => status === 'pending')!.id
    const { adjustment } = await client.as(one).rejectCashAdjustment({ id: pending })
    expect(adjustment).toMatchObject({ status: 'rejected', decided_by: one.actor.id })
    await expect(approve(other, pending)).rejects.toMatchObject({ code: 'invalid_state' })
    const { items } = await client.as(operator()).listCashAdjustments({ ...page, status: 'rejected' })
    expect(items.map((item) => item.id)).toContain(pending)
    expect([170_000, 230_000]).toContain((await account()).in_hand_minor)
  })

  test('that no longer fits when it is approved moves nothing', async () => {
    const { account, adjust, declared } = await holding(60_000)
    const { id } = await adjust(one, -60_000)
    await declared(10_000)
    // Who approves has named no amount.
    await expect(approve(other, id)).rejects.toMatchObject({
      code: 'invalid_state',
      details: { status: 'pending', undeclared_minor: 50_000 },
    })
    expect((await account()).in_hand_minor).toBe(60_000)
  })

  test('as large as a number can be leaves collections and further adjustments an answer', async () => {
    const { collect, account, adjust } = await holding(1_000)
    const most = Number.MAX_SAFE_INTEGER - 1_000
    for (const amount of [most, -most]) {
      await approve(other, (await adjust(one, amount)).id)
      if (amount > 0) expect(await collect(1)).toEqual({ outcome: 'declined' })
    }
    expect((await adjust(one, -1)).status).toBe('pending')
    expect(await collect(1)).toEqual({ outcome: 'applied' })
    expect((await account()).in_hand_minor).toBe(1_001)
  })

  test('is an operator’s alone', async () => {
    const { merchant, rider, adjust } = await holding(100)
    for (const by of [merchant, rider, systemCaller('order')])
      await expect(adjust(by, -1)).rejects.toMatchObject({ code: 'forbidden' })
  })
})
