import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { CommissionFact } from '@svc/contracts/wallet/v1/wallet'
import { eventually, merchantCaller, onceAvailable, riderCaller } from '@svc/testing'
import { expectLedgerHolds } from './ledger-invariants.ts'
import { merchantOwner, settlementOf, startWallet, type TestWallet } from './start-wallet.ts'

let wallet: TestWallet
beforeAll(async () => {
  wallet = await startWallet()
})
afterAll(async () => {
  await expectLedgerHolds(wallet.sql)
  await wallet.stop()
})

const page = { limit: 50, offset: 0 }

async function fundedMerchant(amountMinor = 1_000_000): Promise<string> {
  const merchantId = randomUUID()
  await wallet.fund(merchantOwner(merchantId), amountMinor)
  return merchantId
}

const merchantWallet = (merchantId: string) =>
  wallet.wallet.as(merchantCaller({ merchantId, isTest: false })).getWallet(page)
const riderWallet = (riderId: string) => wallet.wallet.as(riderCaller(riderId)).getRiderWallet(page)
const settle = async (request: ReturnType<typeof settlementOf>) =>
  (await wallet.orders().settleCommission(request)).outcome!

describe('a commission that is paid', () => {
  test('leaves the merchant and reaches the rider in one operation, and both statements say so', async () => {
    const merchantId = await fundedMerchant(20_000)
    const request = settlementOf(merchantId)
    expect(await settle(request)).toMatchObject({ outcome: 'applied', is_replay: false, state: 'paid' })

    const ours = await merchantWallet(merchantId)
    expect(ours.wallet).toMatchObject({
      balance_minor: 15_000,
      available_minor: 15_000,
      held_minor: 0,
      currency: 'NGN',
    })
    expect(ours.total).toBe(2)
    expect(ours.ledger_transactions[0]).toMatchObject({
      wallet_id: ours.wallet!.id,
      entry_type: 'commission_debit',
      direction: 'debit',
      amount_minor: 5_000,
      balance_after_minor: 15_000,
      order_id: request.order_id,
    })
    const theirs = await riderWallet(request.rider_id)
    expect(theirs.wallet).toMatchObject({ balance_minor: 5_000, available_minor: 5_000 })
    expect(theirs.ledger_transactions).toMatchObject([
      { entry_type: 'commission_credit', direction: 'credit', amount_minor: 5_000, balance_after_minor: 5_000 },
    ])
  })

  test('is paid once, however often and under whatever key it is asked for again', async () => {
    const merchantId = await fundedMerchant(20_000)
    const request = settlementOf(merchantId)
    await settle(request)
    expect(await settle(request)).toMatchObject({ outcome: 'applied', is_replay: true, state: 'paid' })
    expect(await settle({ ...request, op_key: `commission:${request.order_id}:2` })).toMatchObject({
      outcome: 'already_applied',
      state: 'paid',
    })
    const held = { ...request, op_key: `commission:${request.order_id}:3`, mode: 'hold_in_escrow' }
    expect(await settle(held)).toMatchObject({ outcome: 'already_applied', state: 'paid' })
    expect((await merchantWallet(merchantId)).wallet).toMatchObject({ balance_minor: 15_000 })
  })

  test('from escrow is paid to the rider for whom it was held, whoever has the order by then, alone and among others', async () => {
    const merchantId = await fundedMerchant()
    const held = Array.from({ length: 6 }, () => settlementOf(merchantId, { mode: 'hold_in_escrow' }))
    await Promise.all(held.map(settle))
    const pay = held.map((one, n) => ({
      ...one,
      op_key: `commission:${one.order_id}:2`,
      mode: 'pay',
      // Of each other, so that the batches cross.
      rider_id: held[(n + 1) % held.length]!.rider_id,
    }))
    expect(await settle(pay[0]!)).toMatchObject({ outcome: 'applied', state: 'paid' })
    for (const { outcome } of await Promise.all(pay.slice(1).map(settle))) expect(outcome).toBe('applied')
    for (const { rider_id, order_id } of held) {
      const { wallet: own, ledger_transactions } = await riderWallet(rider_id)
      expect(own).toMatchObject({ balance_minor: 5_000 })
      expect(ledger_transactions).toMatchObject([{ order_id, entry_type: 'commission_credit' }])
      const [fact] = await wallet.sql<{ payload: Buffer }>(
        `SELECT payload FROM outbox WHERE type = 'wallet.commission_settled' AND position($1::bytea IN payload) > 0`,
        [Buffer.from(order_id)],
      )
      expect(CommissionFact.decode(fact!.payload)).toMatchObject({ order_id, rider_id })
    }
  })

  test('twins of one attempt that arrive together pay once', async () => {
    const request = settlementOf(await fundedMerchant())
    const outcomes = await Promise.all(Array.from({ length: 16 }, () => onceAvailable(() => settle(request))))
    expect(outcomes.every(({ outcome }) => outcome === 'applied')).toBe(true)
    expect(outcomes.filter(({ is_replay }) => !is_replay)).toHaveLength(1)
    expect((await riderWallet(request.rider_id)).wallet).toMatchObject({ balance_minor: 5_000 })
  })

  test('of many that arrive together each is told what became of it', async () => {
    const merchantId = await fundedMerchant(1_000)
    const requests = Array.from({ length: 48 }, (_, n) =>
      settlementOf(merchantId, { amount_minor: n < 16 ? 10 : 100_000 }),
    )
    const told = await Promise.all(requests.map((request) => onceAvailable(() => settle(request))))
    expect(told.map(({ outcome }) => outcome)).toEqual(
      requests.map(({ amount_minor }) => (amount_minor === 10 ? 'applied' : 'declined')),
    )
    for (const { rider_id, amount_minor } of requests)
      if (amount_minor === 10) expect((await riderWallet(rider_id)).wallet).toMatchObject({ balance_minor: 10 })
  })

  test('a key that was used for another commission is refused and moves nothing', async () => {
    const merchantId = await fundedMerchant(20_000)
    const request = settlementOf(merchantId)
    await settle(request)
    await expect(settle({ ...request, amount_minor: 1 })).rejects.toMatchObject({ code: 'idempotency_conflict' })
    expect((await merchantWallet(merchantId)).wallet).toMatchObject({ balance_minor: 15_000 })
  })

  test('the operator pays where merchants are not debited, and no merchant loses anything', async () => {
    const merchantId = await fundedMerchant(20_000)
    const request = settlementOf(merchantId, { payer: 'operator' })
    expect(await settle(request)).toMatchObject({ outcome: 'applied', state: 'paid' })
    expect((await merchantWallet(merchantId)).wallet).toMatchObject({ balance_minor: 20_000 })
    expect((await riderWallet(request.rider_id)).wallet).toMatchObject({ balance_minor: 5_000 })
  })

  test('is announced once', async () => {
    const request = settlementOf(await fundedMerchant())
    await settle(request)
    await settle(request)
    await eventually(async () => {
      const rows = await wallet.sql<{ type: string; published: boolean }>(
        `SELECT type, published_at IS NOT NULL AS published FROM outbox
          WHERE merchant_id = $1 AND type LIKE 'wallet.%'`,
        [request.merchant_id],
      )
      expect(rows).toEqual([{ type: 'wallet.commission_settled', published: true }])
    })
  })
})

describe('a merchant that cannot bear a commission', () => {
  test('is refused with the figures, and the refusal stands when the old request arrives after a top-up', async () => {
    const merchantId = await fundedMerchant(4_999)
    const request = settlementOf(merchantId)
    const refusal = {
      outcome: 'declined',
      reason: 'insufficient_merchant_wallet',
      required_minor: 5_000,
      balance_minor: 4_999,
    }
    expect(await settle(request)).toMatchObject({ ...refusal, is_replay: false })
    await wallet.fund(merchantOwner(merchantId), 100_000)
    expect(await settle(request)).toMatchObject({ ...refusal, is_replay: true })
    const again = { ...request, op_key: `commission:${request.order_id}:2` }
    expect(await settle(again)).toMatchObject({ outcome: 'applied', state: 'paid' })
    expect((await merchantWallet(merchantId)).wallet).toMatchObject({ balance_minor: 99_999 })
  })

  test('64 commissions of 100 on 1,000 at once: exactly ten are paid, the others are refused', async () => {
    const merchantId = await fundedMerchant(1_000)
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, () => onceAvailable(() => settle(settlementOf(merchantId, { amount_minor: 100 })))),
    )
    expect(outcomes.filter(({ outcome }) => outcome === 'applied')).toHaveLength(10)
    expect(outcomes.filter(({ outcome }) => outcome === 'declined')).toHaveLength(54)
    expect((await merchantWallet(merchantId)).wallet).toMatchObject({ balance_minor: 0 })
  })
})

describe('a commission in escrow', () => {
  const hold = (request: ReturnType<typeof settlementOf>) => settle({ ...request, mode: 'hold_in_escrow' })
  const escrowKeys = ({ order_id, merchant_id }: ReturnType<typeof settlementOf>, verb: string, attempt = 1) => ({
    op_key: `${verb}:${order_id}:${attempt}`,
    order_id,
    merchant_id,
  })
  const release = async (request: ReturnType<typeof settlementOf>, attempt = 1) =>
    (await wallet.orders().releaseCommission(escrowKeys(request, 'release', attempt))).outcome!
  const giveBack = async (request: ReturnType<typeof settlementOf>, attempt = 1, settle_op_key?: string) =>
    (await wallet.orders().voidCommission({ ...escrowKeys(request, 'void', attempt), settle_op_key })).outcome!

  test('is still the merchant’s, but cannot be spent; then it is the rider’s', async () => {
    const merchantId = await fundedMerchant(20_000)
    const request = settlementOf(merchantId)
    expect(await hold(request)).toMatchObject({ outcome: 'applied', state: 'held' })
    expect((await merchantWallet(merchantId)).wallet).toMatchObject({
      balance_minor: 20_000,
      available_minor: 15_000,
      held_minor: 5_000,
    })
    expect(await release(request)).toMatchObject({ outcome: 'applied', state: 'paid' })
    expect(await release(request)).toMatchObject({ outcome: 'applied', is_replay: true, state: 'paid' })
    expect((await merchantWallet(merchantId)).wallet).toMatchObject({ balance_minor: 15_000, held_minor: 0 })
    expect((await riderWallet(request.rider_id)).wallet).toMatchObject({ balance_minor: 5_000 })

    const caller = merchantCaller({ merchantId, isTest: false })
    const escrow = await wallet.wallet.as(caller).listEscrowLedger({ ...page, order_id: request.order_id })
    expect(escrow.total).toBe(2)
    expect(escrow.items).toMatchObject([
      {
        entry_type: 'commission_released',
        amount_minor: 5_000,
        rider_id: request.rider_id,
        order_id: request.order_id,
      },
      { entry_type: 'commission_hold', amount_minor: 5_000, rider_id: request.rider_id, order_id: request.order_id },
    ])
    const holds = await wallet.wallet.as(caller).listEscrowLedger({ ...page, entry_type: 'commission_hold' })
    expect(holds.items.map(({ entry_type }) => entry_type)).toEqual(['commission_hold'])
  })

  test('is not held twice, and is paid from there when the payment turns out to be verified', async () => {
    const merchantId = await fundedMerchant(5_000)
    const request = settlementOf(merchantId)
    await hold(request)
    const second = { ...request, op_key: `commission:${request.order_id}:2` }
    expect(await hold(second)).toMatchObject({ outcome: 'already_applied', state: 'held' })
    const paid = { ...request, op_key: `commission:${request.order_id}:3` }
    expect(await settle(paid)).toMatchObject({ outcome: 'applied', state: 'paid' })
    expect((await merchantWallet(merchantId)).wallet).toMatchObject({ balance_minor: 0, held_minor: 0 })
    expect(await release(request, 2)).toMatchObject({ outcome: 'already_applied', state: 'paid' })
  })

  test('goes back to the merchant, once, and the order can be commissioned again later', async () => {
    const merchantId = await fundedMerchant(20_000)
    const request = settlementOf(merchantId)
    await hold(request)
    expect(await giveBack(request)).toMatchObject({ outcome: 'applied', state: 'returned' })
    expect((await merchantWallet(merchantId)).wallet).toMatchObject({ available_minor: 20_000, held_minor: 0 })
    expect(await hold({ ...request, op_key: `commission:${request.order_id}:2` })).toMatchObject({ outcome: 'applied' })
    expect(await giveBack(request)).toMatchObject({ outcome: 'applied', is_replay: true, state: 'returned' })
    expect((await merchantWallet(merchantId)).wallet).toMatchObject({ available_minor: 15_000, held_minor: 5_000 })
    expect(await release(request)).toMatchObject({ outcome: 'applied', state: 'paid' })
    expect(await giveBack(request, 2)).toMatchObject({ outcome: 'declined', reason: 'nothing_held' })

    const escrow = await wallet.wallet
      .as(merchantCaller({ merchantId, isTest: false }))
      .listEscrowLedger({ ...page, entry_type: 'commission_released' })
    expect(escrow.items.map(({ rider_id }) => rider_id)).toEqual([request.rider_id, undefined])
  })

  test('that arrives after it was given up finds the tombstone and takes nothing', async () => {
    const merchantId = await fundedMerchant(20_000)
    const request = settlementOf(merchantId)
    expect(await giveBack(request, 1, request.op_key)).toMatchObject({ outcome: 'declined', reason: 'nothing_held' })
    expect(await hold(request)).toMatchObject({ outcome: 'aborted' })
    expect(await settle(request)).toMatchObject({ outcome: 'aborted' })
    expect((await merchantWallet(merchantId)).wallet).toMatchObject({ available_minor: 20_000, held_minor: 0 })
    expect(await wallet.orders().abortCommission({ op_key: request.op_key })).toEqual({ outcome: 'aborted' })
  })

  test('a refusal to release stands, also when the hold arrives later', async () => {
    const request = settlementOf(await fundedMerchant(20_000))
    expect(await release(request)).toMatchObject({ outcome: 'declined', reason: 'nothing_held' })
    await hold(request)
    expect(await release(request)).toMatchObject({ outcome: 'declined', is_replay: true })
    expect(await release(request, 2)).toMatchObject({ outcome: 'applied' })
  })
})

test('giving an attempt up that was decided changes nothing and says how it ended', async () => {
  const request = settlementOf(await fundedMerchant(20_000))
  await settle(request)
  expect(await wallet.orders().abortCommission({ op_key: request.op_key })).toEqual({ outcome: 'applied' })
})

describe('bad input moves nothing', () => {
  test.each([
    ['an amount of zero', { amount_minor: 0 }, 'amount_minor'],
    ['a negative amount', { amount_minor: -5_000 }, 'amount_minor'],
    ['a merchant that is no id', { merchant_id: 'x' }, 'merchant_id'],
    ['a rider that is no id', { rider_id: "'; DROP TABLE accounts" }, 'rider_id'],
    ['an order that is no id', { order_id: '' }, 'order_id'],
    ['an unknown mode', { mode: 'gift' }, 'mode'],
    ['an unknown payer', { payer: 'rider' }, 'payer'],
    ['an unknown currency', { currency: 'naira' }, 'currency'],
    ['no key', { op_key: '' }, 'op_key'],
    ['a key of 256 characters', { op_key: 'k'.repeat(256) }, 'op_key'],
  ])('%s', async (_what, fault, field) => {
    const merchantId = await fundedMerchant(20_000)
    await expect(settle(settlementOf(merchantId, fault))).rejects.toMatchObject({
      code: 'validation_error',
      details: { field },
    })
    expect((await merchantWallet(merchantId)).wallet).toMatchObject({ balance_minor: 20_000 })
  })

  test.each([1.5, 2 ** 53, Number.NaN, null])('an amount of %p never becomes another one', async (amount) => {
    const merchantId = await fundedMerchant(20_000)
    const request = settlementOf(merchantId, { amount_minor: amount as number })
    await expect(settle(request)).rejects.toThrow()
    expect((await merchantWallet(merchantId)).wallet).toMatchObject({ balance_minor: 20_000 })
  })

  test('nobody but a service settles, releases, gives back or gives up', async () => {
    const request = settlementOf(await fundedMerchant(20_000))
    const merchant = wallet.commission.as(merchantCaller({ merchantId: request.merchant_id, isTest: false }))
    for (const attempt of [
      merchant.settleCommission(request),
      merchant.releaseCommission(request),
      merchant.voidCommission(request),
      merchant.abortCommission(request),
    ])
      await expect(attempt).rejects.toMatchObject({ code: 'forbidden' })
  })
})
