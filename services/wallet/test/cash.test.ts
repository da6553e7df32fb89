import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { CashServiceService } from '@svc/contracts/wallet/v1/cash_service'
import { type Caller, systemCaller } from '@svc/grpc'
import { adminCaller, merchantCaller, riderCaller, testClient } from '@svc/testing'
import { expectLedgerHolds } from './ledger-invariants.ts'
import { startWallet, type TestWallet } from './start-wallet.ts'

/** All test orders share one rider. */
const SANDBOX_RIDER_ID = randomUUID()

let wallet: TestWallet
let client: ReturnType<typeof testClient<typeof CashServiceService>>
beforeAll(async () => {
  wallet = await startWallet({ FOUR_EYES_ABOVE_MINOR: '50000' })
  client = testClient(CashServiceService, { address: wallet.service.address(), to: 'wallet' })
})
afterAll(async () => {
  await expectLedgerHolds(wallet.sql)
  client.close()
  await wallet.stop()
})

const operator = () => adminCaller({ permissions: ['admin.ledger.read', 'admin.withdrawals.write'] })
const page = { limit: 0, offset: 0 }

/** A rider who has so much of a merchant's cash in hand. */
async function holding(amountMinor: number, isTest = false) {
  const merchant = merchantCaller({ isTest })
  const merchant_id = merchant.merchantId as string
  const rider_id = isTest ? SANDBOX_RIDER_ID : randomUUID()
  const rider = riderCaller(rider_id, isTest ? { isTest, merchantId: merchant_id } : {})
  const collect = (amount_minor: number, more: { order_id?: string; currency?: string; merchant_id?: string } = {}) => {
    const order_id = more.order_id ?? randomUUID()
    const request = { op_key: `cash:${order_id}`, order_id, merchant_id, rider_id, is_test: isTest, amount_minor }
    return client.as(systemCaller('order')).collectCash({ ...request, ...more })
  }
  if (amountMinor > 0) await collect(amountMinor)
  const accounts = async () => (await client.as(rider).getRiderCash(page)).items
  const inHand = async () => (await accounts())[0]?.in_hand_minor
  const declare = async (amount_minor: number, key?: string) => {
    const idempotency = key === undefined ? undefined : { key, request_hash: Buffer.from(String(amount_minor)) }
    const { remittance, replayed } = await client
      .as(rider)
      .declareRemittance({ merchant_id, amount_minor, ...(idempotency && { idempotency }) })
    return { ...remittance!, replayed }
  }
  return { merchant, merchant_id, rider, rider_id, collect, accounts, inHand, declare }
}

const confirm = (by: Caller, id: string, more: { received_minor?: number; reason?: string } = {}) =>
  client.as(by).confirmRemittance({ id, ...more })

describe('cash that riders collect', () => {
  test('is booked once per order, whoever asks again and under whatever key', async () => {
    const { collect, inHand } = await holding(0)
    const order_id = randomUUID()
    const outcomes = await Promise.all([1, 2, 3].map(() => collect(700, { order_id })))
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['applied', 'applied', 'applied'])
    expect(await inHand()).toBe(700)
    await expect(collect(900, { order_id })).rejects.toMatchObject({ code: 'idempotency_conflict' })
    expect(await inHand()).toBe(700)
  })

  test('lies apart by merchant, currency and environment, and no sum becomes more than a number can be', async () => {
    const { collect, accounts, rider } = await holding(100)
    await collect(50, { currency: 'GHS' })
    expect((await accounts()).map(({ currency, in_hand_minor }) => [currency, in_hand_minor])).toEqual([
      ['NGN', 100],
      ['GHS', 50],
    ])
    expect(await collect(Number.MAX_SAFE_INTEGER)).toEqual({ outcome: 'declined' })
    const unbound = riderCaller(rider.actor.id, { isTest: true })
    expect((await client.as(unbound).getRiderCash(page)).items).toEqual([])
  })

  test('is booked by the order service alone', async () => {
    const { merchant, merchant_id, rider, rider_id } = await holding(0)
    const request = { op_key: 'x', order_id: randomUUID(), merchant_id, rider_id, is_test: false, amount_minor: 5 }
    for (const by of [merchant, rider, operator(), systemCaller('dispatch')])
      await expect(client.as(by).collectCash(request)).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('a hand-over of cash', () => {
  test('moves nothing until the merchant confirms it, and then once', async () => {
    const { merchant, declare, inHand, accounts } = await holding(1_000)
    const { id, status } = await declare(600)
    expect([status, await inHand()]).toEqual(['declared', 1_000])
    const said = await Promise.all([1, 2, 3].map(() => confirm(merchant, id)))
    for (const { remittance } of said) expect(remittance).toMatchObject({ status: 'confirmed', received_minor: 600 })
    expect(await accounts()).toMatchObject([{ in_hand_minor: 400, collected_minor: 1_000, remitted_minor: 600 }])
    await expect(confirm(merchant, id, { received_minor: 500, reason: 'x' })).rejects.toMatchObject({
      code: 'invalid_state',
    })
  })

  test('is declared once per key, and never for more than is in hand and not declared yet, at once neither', async () => {
    const { declare, inHand } = await holding(1_000)
    const key = randomUUID()
    const twins = await Promise.all([declare(400, key), declare(400, key)])
    expect(new Set(twins.map(({ id }) => id)).size).toBe(1)
    const rest = await Promise.allSettled([declare(400), declare(400)])
    expect(rest.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(rest.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'validation_error', details: { field: 'amount_minor', rule: 'max' } },
    })
    expect(await inHand()).toBe(1_000)
  })

  test('confirmed as less takes a reason; what is missing stays in the rider’s hands, who may object', async () => {
    const { merchant, rider, declare, inHand } = await holding(1_000)
    const { id } = await declare(1_000)
    await expect(confirm(merchant, id, { received_minor: 900 })).rejects.toMatchObject({
      code: 'validation_error',
      details: { field: 'reason', rule: 'required' },
    })
    for (const received_minor of [0, 1_001])
      await expect(confirm(merchant, id, { received_minor, reason: 'x' })).rejects.toMatchObject({
        code: 'validation_error',
        details: { field: 'received_minor' },
      })
    await confirm(merchant, id, { received_minor: 900, reason: 'a torn note' })
    expect(await inHand()).toBe(100)
    const disputed = await client.as(rider).disputeRemittance({ id, reason: 'it was whole' })
    expect(disputed.remittance).toMatchObject({ status: 'disputed', received_minor: 900, reason: 'it was whole' })
    // What is in dispute is not declared anew.
    await expect(declare(100)).rejects.toMatchObject({ details: { field: 'amount_minor' } })
    const end = { id, received_minor: 1_000, reason: 'seen on the camera' }
    await Promise.all([1, 2].map(() => client.as(operator()).resolveRemittance(end)))
    expect(await inHand()).toBe(0)
    expect(await rows(id)).toMatchObject([{ status: 'resolved', received_minor: 1_000 }])
  })

  test('that never arrived is disputed by the merchant and decided by an operator, who takes nothing back', async () => {
    const { merchant, rider, declare, inHand } = await holding(800)
    const { id } = await declare(800)
    await client.as(merchant).disputeRemittance({ id, reason: 'nobody came' })
    await client.as(rider).disputeRemittance({ id, reason: 'x' })
    await expect(confirm(merchant, id)).rejects.toMatchObject({ code: 'invalid_state' })
    await client.as(operator()).resolveRemittance({ id, received_minor: 0, reason: 'no trace of it' })
    expect(await inHand()).toBe(800)
  })

  test('that the merchant never answers is disputed by its rider, and an operator decides', async () => {
    const { merchant, rider, declare, inHand } = await holding(800)
    const { id } = await declare(800)
    const { remittance } = await client.as(rider).disputeRemittance({ id, reason: 'nobody answers' })
    expect(remittance).toMatchObject({ status: 'disputed', received_minor: 0, reason: 'nobody answers' })
    await expect(confirm(merchant, id)).rejects.toMatchObject({ code: 'invalid_state' })
    await client.as(operator()).resolveRemittance({ id, received_minor: 800, reason: 'there is a receipt' })
    expect(await inHand()).toBe(0)
    await expect(client.as(rider).disputeRemittance({ id, reason: 'x' })).rejects.toMatchObject({
      code: 'invalid_state',
    })
  })

  test('is contradicted by its rider only as far as what is missing lies undeclared in its hands', async () => {
    const { merchant, rider, declare } = await holding(1_000)
    const { id } = await declare(1_000)
    await confirm(merchant, id, { received_minor: 400, reason: 'notes were missing' })
    const second = await declare(1)
    await expect(client.as(rider).disputeRemittance({ id, reason: 'x' })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { undeclared_minor: 599 },
    })
    await client.as(rider).disputeRemittance({ id: second.id, reason: 'x' })
    await client.as(operator()).resolveRemittance({ id: second.id, received_minor: 0, reason: 'x' })
    await client.as(rider).disputeRemittance({ id, reason: 'x' })
  })

  test('is taken back by the rider who declared it while nobody has answered, and what was declared is free again', async () => {
    const { merchant, rider, rider_id, declare, inHand } = await holding(1_000)
    const { id } = await declare(1_000)
    const again = await Promise.all([1, 2].map(() => client.as(rider).withdrawRemittance({ id })))
    for (const { remittance } of again) expect(remittance).toMatchObject({ status: 'withdrawn', received_minor: 0 })
    const late = { code: 'invalid_state', details: { status: 'withdrawn' } }
    await expect(confirm(merchant, id)).rejects.toMatchObject(late)
    for (const by of [merchant, rider])
      await expect(client.as(by).disputeRemittance({ id, reason: 'x' })).rejects.toMatchObject(late)
    await expect(client.as(operator()).resolveRemittance({ id, received_minor: 1, reason: 'x' })).rejects.toMatchObject(
      late,
    )
    expect(await inHand()).toBe(1_000)

    const anew = await declare(400)
    await expect(client.as(riderCaller(randomUUID())).withdrawRemittance({ id: anew.id })).rejects.toMatchObject({
      code: 'not_found',
    })
    await confirm(merchant, anew.id)
    const disputed = await declare(300)
    await client.as(merchant).disputeRemittance({ id: disputed.id, reason: 'nobody came' })
    const desk = await client.as(merchant).declareRemittance({ rider_id, amount_minor: 300 })
    for (const answered of [anew.id, disputed.id, desk.remittance!.id])
      await expect(client.as(rider).withdrawRemittance({ id: answered })).rejects.toMatchObject({
        code: 'invalid_state',
      })
  })

  test('is confirmed or taken back, never both, when both come at once', async () => {
    const { merchant, rider, declare, inHand } = await holding(1_000)
    for (let times = 1; times <= 5; times++) {
      const { id } = await declare(100)
      const before = (await inHand())!
      const said = await Promise.allSettled([client.as(rider).withdrawRemittance({ id }), confirm(merchant, id)])
      expect(said.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const [row] = await rows(id)
      expect([before - (await inHand())!, row]).toEqual(
        said[0]!.status === 'fulfilled'
          ? [0, { status: 'withdrawn', received_minor: 0 }]
          : [100, { status: 'confirmed', received_minor: 100 }],
      )
    }
  })

  test('waits with at most twenty of one rider and merchant', async () => {
    const { merchant, declare } = await holding(1_000)
    const { id } = await declare(1)
    for (let times = 1; times < 20; times++) await declare(1)
    await expect(declare(1)).rejects.toMatchObject({ code: 'limit_reached', details: { limit: 20 } })
    await confirm(merchant, id)
    await declare(1)
  })

  test('is decided by nobody alone where the rider’s of a day come above the four-eyes limit, at once neither', async () => {
    const one = await holding(60_000)
    const other = merchantCaller({ isTest: false })
    await one.collect(30_000, { merchant_id: other.merchantId as string })
    const disputed = async (merchant: Caller, amount_minor: number) => {
      const request = { rider_id: one.rider_id, amount_minor }
      const { remittance } = await client.as(merchant).declareRemittance(request)
      await client.as(merchant).disputeRemittance({ id: remittance!.id, reason: 'nobody came' })
      return { id: remittance!.id, received_minor: amount_minor, reason: 'seen' }
    }
    const ends = [await disputed(one.merchant, 30_000), await disputed(other, 30_000)]
    const said = await Promise.allSettled(ends.map((end) => client.as(operator()).resolveRemittance(end)))
    const statuses = said.map((reply) => (reply.status === 'fulfilled' ? reply.value.remittance!.status : 'refused'))
    expect(statuses.toSorted()).toEqual(['disputed', 'resolved'])
    await client.as(operator()).resolveRemittance(await disputed(one.merchant, 20_000))
    const more = await disputed(one.merchant, 1)
    const { remittance } = await client.as(operator()).resolveRemittance(more)
    expect(remittance).toMatchObject({ status: 'disputed', received_minor: 0, proposed_minor: 1 })
    await client.as(operator()).resolveRemittance({ ...more, received_minor: 0 })
  })

  test('is declared at the merchant’s desk as well', async () => {
    const { merchant, rider_id, inHand } = await holding(300)
    const { remittance } = await client.as(merchant).declareRemittance({ rider_id, amount_minor: 300 })
    expect(remittance).toMatchObject({ status: 'declared', declared_by: 'merchant' })
    await confirm(merchant, remittance!.id)
    expect(await inHand()).toBe(0)
  })

  test('of others does not exist: not for another merchant, another rider or the other environment', async () => {
    const { merchant, merchant_id, declare, inHand } = await holding(500)
    const { id } = await declare(500)
    const strangers = [merchantCaller({ isTest: false }), merchantCaller({ merchantId: merchant_id, isTest: true })]
    for (const stranger of strangers) {
      await expect(confirm(stranger, id)).rejects.toMatchObject({ code: 'not_found' })
      await expect(client.as(stranger).disputeRemittance({ id, reason: 'x' })).rejects.toMatchObject({
        code: 'not_found',
      })
      expect((await client.as(stranger).listRemittances(page)).items).toEqual([])
      expect((await client.as(stranger).getCashStatement(page)).items).toEqual([])
      expect((await client.as(stranger).listCashAccounts(page)).items).toEqual([])
    }
    const other = riderCaller(randomUUID())
    await expect(client.as(other).disputeRemittance({ id, reason: 'x' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(client.as(other).declareRemittance({ merchant_id, amount_minor: 1 })).rejects.toMatchObject({
      details: { field: 'amount_minor', rule: 'max' },
    })
    await expect(
      client.as(riderCaller(SANDBOX_RIDER_ID, { isTest: true })).declareRemittance({ merchant_id, amount_minor: 1 }),
    ).rejects.toMatchObject({ code: 'not_found' })
    await expect(client.as(riderCaller(merchant_id)).confirmRemittance({ id })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await confirm(merchant, id)
    expect(await inHand()).toBe(0)
  })

  test('is within reach of a token that a merchant minted for its rider where the cash is that merchant’s, and is declared by it until the rider logs in', async () => {
    const { merchant_id, rider, rider_id, declare, collect } = await holding(500)
    const other_id = randomUUID()
    await collect(700, { merchant_id: other_id })
    const theirs = { merchant_id: other_id, amount_minor: 700 }
    const key = { key: randomUUID(), request_hash: Buffer.from('theirs') }
    const { remittance: hidden } = await client.as(rider).declareRemittance({ ...theirs, idempotency: key })
    const minted = (riderLogsIn: boolean) =>
      client.as({
        ...rider,
        merchantId: merchant_id,
        mintedBy: { credential: 'key:k', scopes: ['orders:write'], riderLogsIn },
      })
    const bound = minted(false)
    expect((await bound.getRiderCash(page)).items).toMatchObject([{ merchant_id, in_hand_minor: 500 }])
    expect((await bound.listRemittances(page)).items).toEqual([])
    for (const request of [theirs, { ...theirs, idempotency: key }])
      await expect(bound.declareRemittance(request)).rejects.toMatchObject({ details: { field: 'amount_minor' } })
    await expect(bound.disputeRemittance({ id: hidden!.id, reason: 'x' })).rejects.toMatchObject({ code: 'not_found' })
    const { remittance } = await bound.declareRemittance({ merchant_id, amount_minor: 200 })
    expect(remittance).toMatchObject({ rider_id, merchant_id, declared_by: 'rider' })

    const grown = minted(true)
    const own = { code: 'forbidden', details: { reason: 'rider_login_required' } }
    await expect(grown.declareRemittance({ merchant_id, amount_minor: 1 })).rejects.toMatchObject(own)
    await expect(grown.disputeRemittance({ id: remittance!.id, reason: 'x' })).rejects.toMatchObject(own)
    expect((await grown.getRiderCash(page)).items).toMatchObject([{ merchant_id }])
    expect((await declare(300)).status).toBe('declared')
  })

  test('under a key of the sandbox rider is that of the merchant it is bound to', async () => {
    const [one, other] = [await holding(100, true), await holding(100, true)]
    const key = randomUUID()
    const ids = [await one.declare(100, key), await other.declare(100, key)].map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
  })

  test('of sandbox cash is the sandbox’s own', async () => {
    const { merchant, merchant_id, declare, inHand } = await holding(250, true)
    const { id } = await declare(250)
    await expect(confirm({ ...merchant, isTest: false }, id)).rejects.toMatchObject({ code: 'not_found' })
    const stranger = riderCaller(SANDBOX_RIDER_ID, { isTest: true, merchantId: randomUUID() })
    await expect(client.as(stranger).declareRemittance({ merchant_id, amount_minor: 1 })).rejects.toMatchObject({
      details: { field: 'amount_minor' },
    })
    await confirm(merchant, id)
    expect(await inHand()).toBe(0)
  })

  test('is of the environment of its account, whoever writes it', async () => {
    const { merchant_id, declare } = await holding(250, true)
    const { id } = await declare(250)
    const found = () => wallet.sql<{ is_test: boolean }>('SELECT is_test FROM cash_remittances WHERE id = $1', [id])
    expect(await found()).toEqual([{ is_test: true }])
    const [account] = await wallet.sql<{ id: string }>('SELECT id FROM cash_accounts WHERE merchant_id = $1', [
      merchant_id,
    ])
    const written = (of: string) =>
      wallet.sql<{ is_test: boolean }>(
        `INSERT INTO cash_remittances (account_id, merchant_id, is_test, declared_minor, declared_by)
         VALUES ($1, $2, false, 1, 'rider') RETURNING is_test`,
        [account!.id, of],
      )
    expect(await written(merchant_id)).toEqual([{ is_test: true }])
    await expect(written(randomUUID())).rejects.toThrow()
    await expect(wallet.sql('UPDATE cash_remittances SET is_test = false WHERE id = $1', [id])).rejects.toThrow()
    const live = await client.as(operator()).listRemittances({ ...page, merchant_id })
    expect(live.items).toEqual([])
  })

  test.each([0, -5])('of %d is none', async (amount) => {
    const { declare } = await holding(10)
    await expect(declare(amount)).rejects.toMatchObject({
      code: 'validation_error',
      details: { field: 'amount_minor', rule: 'min' },
    })
  })
})

const rows = (id: string) =>
  wallet.sql('SELECT status, received_minor FROM cash_remittances WHERE id = $1 ORDER BY id', [id])

describe('a merchant’s cash statement', () => {
  test('lists what became of its cash, newest first, with sums that add up', async () => {
    const { merchant, merchant_id, rider_id, collect, declare } = await holding(0)
    const orders = [randomUUID(), randomUUID()]
    for (const order_id of orders) await collect(500, { order_id })
    const { id } = await declare(600)
    await confirm(merchant, id)
    const as = client.as(merchant)
    const statement = await as.getCashStatement(page)
    expect(statement).toMatchObject({
      total: 3,
      totals: [{ currency: 'NGN', in_hand_minor: 400, collected_minor: 1_000, remitted_minor: 600, adjusted_minor: 0 }],
    })
    const of = (type: string) => statement.items.filter(({ entry_type }) => entry_type === type)
    expect(new Set(of('cash_collected').map(({ order_id }) => order_id))).toEqual(new Set(orders))
    expect(of('cash_remitted')).toMatchObject([{ amount_minor: -600, remittance_id: id, rider_id }])
    expect(new Set(statement.items.map((entry) => entry.id)).size).toBe(3)
    const second = await as.getCashStatement({ limit: 1, offset: 1 })
    expect(second.items).toEqual([statement.items[1]])
    expect((await as.getCashStatement({ ...page, rider_id })).items).toEqual(statement.items)
    expect((await as.getCashStatement({ ...page, rider_id: randomUUID() })).items).toEqual([])
    expect((await as.getCashStatement({ ...page, until: '2020-01-01T00:00:00.000Z' })).items).toEqual([])
    expect((await as.listCashAccounts(page)).items).toMatchObject([{ rider_id, in_hand_minor: 400 }])
    const all = await client.as(operator()).listCashAccounts({ ...page, merchant_id })
    expect(all.items).toMatchObject([{ rider_id, merchant_id, in_hand_minor: 400 }])
  })

  test('of one rider has its lines alone, in all currencies, by the same pages', async () => {
    const { merchant, merchant_id, rider_id, collect } = await holding(0)
    const other = { order_id: randomUUID(), rider_id: randomUUID(), op_key: randomUUID() }
    for (const currency of ['NGN', 'GHS', 'NGN', 'GHS']) await collect(100, { currency })
    const request = { ...other, merchant_id, is_test: false, amount_minor: 7 }
    await client.as(systemCaller('order')).collectCash(request)
    const elsewhere = randomUUID()
    await collect(50, { merchant_id: elsewhere })
    const read = (more: object) => client.as(merchant).getCashStatement({ ...page, ...more })
    const all = await read({ rider_id })
    expect([all.total, all.items.length]).toEqual([4, 4])
    expect(all.items).toEqual((await read({})).items.filter((entry) => entry.rider_id === rider_id))
    const pages = await Promise.all([0, 1, 2, 3, 4].map((offset) => read({ rider_id, limit: 1, offset })))
    expect(pages.flatMap(({ items }) => items)).toEqual(all.items)
    const since = all.items[1]!.created_at
    const late = all.items.filter(({ created_at }) => created_at! >= since!)
    expect((await read({ rider_id, since })).items).toEqual(late)
  })

  test('dates what is in hand by the oldest that was not handed over', async () => {
    const { merchant, collect, declare, accounts } = await holding(100)
    const first = (await accounts())[0]!.held_since
    await wallet.database.shiftClock(60_000)
    await collect(200)
    expect((await accounts())[0]!.held_since).toBe(first)
    await confirm(merchant, (await declare(100)).id)
    const second = (await accounts())[0]!.held_since!
    expect(Date.parse(second)).toBeGreaterThan(Date.parse(first!) + 30_000)
    await confirm(merchant, (await declare(200)).id)
    expect((await accounts())[0]!.held_since).toBeUndefined()
  })
})
