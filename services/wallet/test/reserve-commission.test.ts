import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sweep } from '@svc/lifecycle'
import { merchantCaller } from '@svc/testing'
import { expiries } from '../src/db/reservations.ts'
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

interface Carried {
  order_id: string
  merchant_id: string
}

const COMMISSION_MINOR = 5_000

async function carried(balanceMinor: number): Promise<Carried> {
  const merchant_id = randomUUID()
  await wallet.fund(merchantOwner(merchant_id), balanceMinor)
  return { order_id: randomUUID(), merchant_id }
}

const reserve = (order: Carried, order_version: number, rider_id: string | undefined = randomUUID()) =>
  wallet.orders().reserveCommission({ ...order, order_version, rider_id, delivery_commission_minor: COMMISSION_MINOR })

async function balances({ merchant_id }: Carried): Promise<[available: number, held: number]> {
  const as = wallet.wallet.as(merchantCaller({ merchantId: merchant_id, isTest: false }))
  const shown = (await as.getWallet({ limit: 1, offset: 0 })).wallet
  return [shown?.available_minor ?? Number.NaN, shown?.held_minor ?? Number.NaN]
}

describe('the commission of an order that a rider carries', () => {
  test('is out of its merchant’s reach once, however often it is told, and stays so when another rider takes over', async () => {
    const order = await carried(20_000)
    const rider = randomUUID()
    await Promise.all([reserve(order, 2, rider), reserve(order, 2, rider)])
    expect(await balances(order)).toEqual([15_000, 5_000])
    await reserve(order, 3)
    expect(await balances(order)).toEqual([15_000, 5_000])
  })

  test('goes back where no rider carries the order any more, and older news does not take it again', async () => {
    const order = await carried(20_000)
    await reserve(order, 2)
    const unassigned = { ...order, order_version: 4, delivery_commission_minor: COMMISSION_MINOR }
    await wallet.orders().reserveCommission(unassigned)
    await reserve(order, 3)
    expect(await balances(order)).toEqual([20_000, 0])
  })

  test('is out of reach at every moment while it goes from escrow to the next rider, once however often that is told', async () => {
    const order = await carried(5_000)
    const settle_op_key = `commission:${order.order_id}:1`
    const held = settlementOf(order.merchant_id, { ...order, op_key: settle_op_key, mode: 'hold_in_escrow' })
    await wallet.orders().settleCommission(held)
    const next = { order_version: 3, rider_id: randomUUID(), delivery_commission_minor: COMMISSION_MINOR }
    const returned = {
      ...order,
      op_key: `void:${order.order_id}:1`,
      settle_op_key,
      reserve: { ...order, ...next },
    }
    const other = { ...order, order_id: randomUUID() }
    const [first, again, taken] = await Promise.all([
      wallet.orders().voidCommission(returned),
      wallet.orders().voidCommission(returned),
      wallet.orders().settleCommission(settlementOf(order.merchant_id, { ...other, amount_minor: 1 })),
    ])
    for (const { outcome } of [first, again]) expect(outcome).toMatchObject({ outcome: 'applied', state: 'returned' })
    expect(taken.outcome).toMatchObject({ outcome: 'declined' })
    expect(await balances(order)).toEqual([0, 5_000])
    // A tombstone and a business key of the attempt that was given back stand as they did.
    expect((await wallet.orders().settleCommission(held)).outcome).toMatchObject({
      outcome: 'applied',
      is_replay: true,
    })
    expect(await balances(order)).toEqual([0, 5_000])
  })

  test('is remembered for as long as older news of the order may come, and not for ever', async () => {
    const [old, young] = [await carried(20_000), await carried(20_000)]
    for (const order of [old, young]) await reserve(order, 2)
    const age = `UPDATE carried_orders SET told_at = app_now() - interval '91 days' WHERE order_id = $1`
    await wallet.sql(age, [old.order_id])
    await sweep(wallet.context.database.worker, expiries)
    const kept = await wallet.sql<{ order_id: string }>(
      'SELECT order_id FROM carried_orders WHERE order_id = ANY ($1::uuid[])',
      [[old.order_id, young.order_id]],
    )
    expect(kept).toEqual([{ order_id: young.order_id }])
    // What it carries still waits for its rider.
    expect(await balances(old)).toEqual([15_000, 5_000])
    await reserve(old, 3)
    expect(await balances(old)).toEqual([15_000, 5_000])
  })

  test('is what the merchant has where that is less, and is paid from there', async () => {
    const order = await carried(3_000)
    await reserve(order, 2)
    expect(await balances(order)).toEqual([0, 3_000])
    const settlement = settlementOf(order.merchant_id, { ...order, amount_minor: COMMISSION_MINOR })
    expect((await wallet.orders().settleCommission(settlement)).outcome).toMatchObject({ outcome: 'declined' })
    expect(await balances(order)).toEqual([0, 3_000])
    await wallet.fund(merchantOwner(order.merchant_id), 10_000)
    const again = settlementOf(order.merchant_id, { ...settlement, op_key: `commission:${order.order_id}:2` })
    expect((await wallet.orders().settleCommission(again)).outcome).toMatchObject({ outcome: 'applied', state: 'paid' })
    expect(await balances(order)).toEqual([8_000, 0])
  })
})
