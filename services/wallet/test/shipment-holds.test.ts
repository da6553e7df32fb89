import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ShipmentHoldServiceService } from '@svc/contracts/wallet/v1/shipment_hold_service'
import { systemCaller } from '@svc/grpc'
import { merchantCaller, testClient } from '@svc/testing'
import { expectLedgerHolds } from './ledger-invariants.ts'
import { merchantOwner, settlementOf, startWallet, type TestWallet } from './start-wallet.ts'

let wallet: TestWallet
let client: ReturnType<typeof testClient<typeof ShipmentHoldServiceService>>
beforeAll(async () => {
  wallet = await startWallet()
  client = testClient(ShipmentHoldServiceService, { address: wallet.service.address(), to: 'wallet' })
})
afterAll(async () => {
  await expectLedgerHolds(wallet.sql)
  client.close()
  await wallet.stop()
})

const holds = () => client.as(systemCaller('order'))

async function shipmentOf(fees: number[], balanceMinor: number, isTest = false) {
  const merchant_id = randomUUID()
  if (balanceMinor > 0) await wallet.fund(merchantOwner(merchant_id), balanceMinor)
  const shipment_id = randomUUID()
  const parts = fees.map((amount_minor) => ({ order_id: randomUUID(), amount_minor }))
  const place = (attempt = 1) =>
    holds().placeShipmentHold({
      op_key: `shipment:${shipment_id}:${attempt}`,
      shipment_id,
      merchant_id,
      is_test: isTest,
      parts,
    })
  const giveUp = (attempt = 1) =>
    holds().giveUpShipmentHold({
      op_key: `shipment_expire:${shipment_id}:${attempt}`,
      shipment_id,
      place_op_key: `shipment:${shipment_id}:${attempt}`,
    })
  const balances = async () => {
    const as = wallet.wallet.as(merchantCaller({ merchantId: merchant_id, isTest }))
    const shown = (await as.getWallet({ limit: 1, offset: 0 })).wallet
    return [shown?.available_minor, shown?.held_minor]
  }
  return { merchant_id, shipment_id, parts, place, giveUp, balances }
}

describe('the hold of a shipment', () => {
  test('is the sum of its parts, placed once by any number of calls and keys, and given back part by part, each once', async () => {
    const { parts, place, balances } = await shipmentOf([100, 200, 300], 1_000)
    const placed = await Promise.all([place(1), place(1), place(2), place(3)])
    expect(placed.map(({ outcome, held_minor }) => [outcome, held_minor])).toEqual(Array(4).fill(['applied', 600]))
    expect(await balances()).toEqual([400, 600])
    const { order_id } = parts[1]!
    await Promise.all([1, 2, 3].map(() => holds().releaseShipmentPart({ order_id })))
    expect(await balances()).toEqual([600, 400])
    for (const part of parts) await holds().releaseShipmentPart({ order_id: part.order_id })
    expect(await balances()).toEqual([1_000, 0])
  })

  test('that the wallet cannot bear is refused with both amounts, and tried again under another key', async () => {
    const { merchant_id, place, balances } = await shipmentOf([700, 400], 1_000)
    expect(await place()).toMatchObject({ outcome: 'declined', required_minor: 1_100, balance_minor: 1_000 })
    expect(await balances()).toEqual([1_000, 0])
    await wallet.fund(merchantOwner(merchant_id), 100)
    expect(await place(1)).toMatchObject({ outcome: 'declined' })
    expect(await place(2)).toMatchObject({ outcome: 'applied', held_minor: 1_100 })
    expect(await balances()).toEqual([0, 1_100])
  })

  test('of test orders is sandbox money, and closing it gives back whatever is left, once', async () => {
    const { shipment_id, parts, place, balances } = await shipmentOf([100, 200], 0, true)
    const [before] = await balances()
    await place()
    await holds().releaseShipmentPart({ order_id: parts[0]!.order_id })
    expect(await balances()).toEqual([before! - 200, 200])
    await Promise.all([1, 2].map(() => holds().closeShipmentHold({ shipment_id })))
    expect(await balances()).toEqual([before, 0])
    await holds().releaseShipmentPart({ order_id: parts[1]!.order_id })
    expect(await balances()).toEqual([before, 0])
  })

  test('that is given up goes back once; the next holds the same parts again, and the first holds nothing when it is repeated', async () => {
    const { parts, place, giveUp, balances } = await shipmentOf([100, 200], 1_000)
    await place(1)
    await Promise.all([giveUp(1), giveUp(1)])
    expect(await balances()).toEqual([1_000, 0])
    await expect(place(1)).rejects.toMatchObject({ code: 'invalid_state' })
    expect(await balances()).toEqual([1_000, 0])
    expect(await place(2)).toMatchObject({ outcome: 'applied', held_minor: 300 })
    await giveUp(1)
    expect(await balances()).toEqual([700, 300])
    for (const { order_id } of parts) await holds().releaseShipmentPart({ order_id })
    expect(await balances()).toEqual([1_000, 0])
  })

  test('that is given up before it arrives never takes effect', async () => {
    const { place, giveUp, balances } = await shipmentOf([100], 1_000)
    await giveUp(1)
    await expect(place(1)).rejects.toMatchObject({ code: 'invalid_state' })
    expect(await balances()).toEqual([1_000, 0])
    expect(await place(2)).toMatchObject({ outcome: 'applied', held_minor: 100 })
  })

  test('that needed nothing holds nothing when it is repeated, whatever the merchant pays by then', async () => {
    const { merchant_id, place, giveUp, balances } = await shipmentOf([100], 1_000)
    await wallet.sql(
      `INSERT INTO merchants (id, currency, merchant_tier, billing_status, kyb_status, version, timezone)
       VALUES ($1, 'NGN', 'saas', 'active', 'verified', 1, 'Africa/Lagos')`,
      [merchant_id],
    )
    expect(await place(1)).toMatchObject({ outcome: 'applied', held_minor: 0 })
    await wallet.sql(`UPDATE merchants SET merchant_tier = 'standard' WHERE id = $1`, [merchant_id])
    expect(await place(1)).toMatchObject({ outcome: 'applied', held_minor: 0 })
    expect(await balances()).toEqual([1_000, 0])
    await giveUp(1)
    expect(await place(2)).toMatchObject({ outcome: 'applied', held_minor: 100 })
  })

  test('is nothing of a merchant of the SaaS tier', async () => {
    const { merchant_id, place, balances } = await shipmentOf([100], 0)
    await wallet.sql(
      `INSERT INTO merchants (id, currency, merchant_tier, billing_status, kyb_status, version, timezone)
       VALUES ($1, 'NGN', 'saas', 'active', 'verified', 1, 'Africa/Lagos')`,
      [merchant_id],
    )
    expect(await place()).toMatchObject({ outcome: 'applied', held_minor: 0 })
    expect(await balances()).toEqual([0, 0])
  })

  test('pays the commission of an order from what is held for it, and gives the rest back; of a commission that is too high nothing', async () => {
    const { merchant_id, parts, place, balances } = await shipmentOf([8_000, 4_000], 12_000)
    await place()
    const [first, second] = parts.map(({ order_id }) => order_id)
    const settle = (order_id: string | undefined) =>
      wallet.orders().settleCommission(settlementOf(merchant_id, { order_id: order_id ?? '' }))
    const refused = await settle(second)
    expect(refused.outcome).toMatchObject({ outcome: 'declined' })
    expect(await balances()).toEqual([0, 12_000])
    const paid = await settle(first)
    expect(paid.outcome).toMatchObject({ outcome: 'applied', state: 'paid' })
    expect(await balances()).toEqual([3_000, 4_000])
    await holds().releaseShipmentPart({ order_id: first ?? '' })
    expect(await balances()).toEqual([3_000, 4_000])
  })

  test('is what a rider is paid from: of what it covers nothing more is put aside at the assignment', async () => {
    const { merchant_id, parts, place, balances } = await shipmentOf([3_000, 9_000], 20_000)
    await place()
    for (const { order_id } of parts) {
      const carried = { order_id, merchant_id, order_version: 2, rider_id: randomUUID() }
      await wallet.orders().reserveCommission({ ...carried, delivery_commission_minor: 5_000 })
    }
    expect(await balances()).toEqual([6_000, 14_000])
  })

  test('is settled by commissions of one merchant side by side without a deadlock', async () => {
    const { merchant_id, parts, place, balances } = await shipmentOf(Array(20).fill(5_000), 100_000)
    await place()
    await Promise.all(
      parts.flatMap(({ order_id }) => [
        wallet.orders().settleCommission(settlementOf(merchant_id, { order_id })),
        holds()
          .releaseShipmentPart({ order_id })
          .catch(() => undefined),
      ]),
    )
    const [available, held] = await balances()
    expect(held).toBe(0)
    expect(available).toBe(0)
  })
})
