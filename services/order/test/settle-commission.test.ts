import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { adminCaller, eventually, merchantCaller, onceAvailable, riderCaller } from '@svc/testing'
import { tellCarried } from '../src/use-cases/tell-carried.ts'
import { acceptance, creation, summary } from './order-mesh.ts'
import { type SettlementMesh, settlementMesh } from './settlement-mesh.ts'

let mesh: SettlementMesh
beforeAll(async () => {
  mesh = await settlementMesh()
})
afterAll(() => mesh?.stop())

const FLOOR = 50_000
const EARNS = 5_000
const deliver = (merchant: Parameters<SettlementMesh['orders']>[0], id: string) =>
  mesh.orders(merchant).updateOrder({ id, status: 'delivered' })
const statusOf = async (merchant: Parameters<SettlementMesh['orders']>[0], id: string) =>
  (await mesh.orders(merchant).getOrder({ id })).order?.status

describe('entering a status that settles commissions', () => {
  test('pays the rider from the merchant once, whatever is repeated', async () => {
    const merchant = await mesh.merchant(100_000)
    const { id, riderId } = await mesh.onBoard(merchant)
    const { order } = await deliver(merchant, id)
    expect(order).toMatchObject({ status: 'delivered' })
    await deliver(merchant, id)
    await mesh.orders(merchant).updateOrder({ id, status: 'in_transit' })
    await deliver(merchant, id)
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual({ merchant: 95_000, escrow: 0, rider: EARNS })
    expect(await mesh.intents(id)).toEqual([{ kind: 'commission', state: 'applied', attempt: 1 }])
    const types = (await mesh.facts(id)).map(({ type }) => type)
    expect(types.filter((type) => type === 'order.delivered')).toHaveLength(2)
  })

  test('of 20 at once pays once, and all are told that it is delivered', async () => {
    const merchant = await mesh.merchant(100_000)
    const { id, riderId } = await mesh.onBoard(merchant)
    const replies = await Promise.all(Array.from({ length: 20 }, () => onceAvailable(() => deliver(merchant, id))))
    expect(replies.map(({ order }) => order?.status)).toEqual(Array(20).fill('delivered'))
    expect(await mesh.balances(merchant.merchantId, riderId)).toMatchObject({ rider: EARNS, merchant: 95_000 })
    const updates = (await mesh.facts(id)).filter(({ type }) => type === 'order.delivered')
    expect(updates).toHaveLength(1)
  })

  test('is refused to all who ask while the merchant cannot pay; after a top-up the next one succeeds', async () => {
    const merchant = await mesh.merchant(FLOOR)
    const { id, riderId } = await mesh.onBoard(merchant, { delivery_commission_minor: FLOOR + 1 })
    const refusal = {
      code: 'insufficient_merchant_wallet',
      details: { required_minor: FLOOR + 1, balance_minor: FLOOR },
    }
    const facts = (await mesh.facts(id)).length
    for (const asked of await Promise.allSettled([1, 2, 3].map(() => deliver(merchant, id)))) {
      expect(asked).toMatchObject({ status: 'rejected', reason: refusal })
    }
    expect(await statusOf(merchant, id)).toBe('accepted')
    expect(await mesh.facts(id)).toHaveLength(facts)
    const attempts = (await mesh.intents(id)).length

    await mesh.wallet.fund({ kind: 'merchant', id: merchant.merchantId }, 1)
    expect((await deliver(merchant, id)).order?.status).toBe('delivered')
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual({ merchant: 0, escrow: 0, rider: FLOOR + 1 })
    // The first attempt, arriving late, is told what it was told before.
    const late = await mesh.line.line.settle(
      {
        orderId: id,
        merchantId: merchant.merchantId,
        riderId,
        amountMinor: FLOOR + 1,
        currency: 'NGN',
        mode: 'pay',
        payer: 'merchant',
      },
      1,
    )
    expect(late).toMatchObject({ outcome: 'declined', is_replay: true })
    expect((await mesh.intents(id)).at(-1)).toEqual({ kind: 'commission', state: 'applied', attempt: attempts + 1 })
  })

  test('by the rider, by a proof of delivery and by automatic progress does the same', async () => {
    const merchant = await mesh.merchant(200_000, { trigger_statuses: ['in_transit', 'delivered'] })
    const [reported, proven, seen] = await Promise.all([1, 2, 3].map(() => mesh.onBoard(merchant)))
    for (const { id, riderId } of [reported!, proven!, seen!]) {
      await mesh.fulfilment(riderCaller(riderId)).updateRiderOrderStatus({ order_id: id, status: 'picked_up' })
    }
    const report = { order_id: reported!.id, status: 'delivered', client_event_id: randomUUID() }
    for (const _ of [1, 2]) await mesh.fulfilment(riderCaller(reported!.riderId)).updateRiderOrderStatus(report)
    const proof = { order_id: proven!.id, rider_id: proven!.riderId, op_key: `pod:${randomUUID()}`, pod_json: '{}' }
    await Promise.all([1, 2, 3].map(() => mesh.fulfilment().recordProofOfDelivery(proof)))
    const departed = { order_id: seen!.id, op_key: randomUUID(), progress: 'departed', rider_id: seen!.riderId }
    for (const _ of [1, 2]) expect(await mesh.fulfilment().recordProgress(departed)).toEqual({ applied: true })
    for (const { id, riderId } of [reported!, proven!, seen!]) {
      expect(await statusOf(merchant, id)).toBe(id === seen!.id ? 'in_transit' : 'delivered')
      expect(await mesh.balances(merchant.merchantId, riderId)).toMatchObject({ merchant: 185_000, rider: EARNS })
    }
  })

  test('by acceptance pays whoever accepted; the one who lost is told so and earns nothing', async () => {
    const merchant = await mesh.merchant(100_000, { trigger_statuses: ['accepted'] })
    const { order } = await mesh.orders(merchant).createOrder(creation())
    const id = order?.id ?? ''
    const riders = [summary(), summary()]
    const replies = await Promise.all(riders.map((rider) => mesh.fulfilment().commitAssignment(acceptance(id, rider))))
    expect(replies.map(({ outcome }) => outcome).toSorted()).toEqual(['applied', 'lost'])
    const earned = await Promise.all(riders.map((rider) => mesh.balances(merchant.merchantId, rider.id)))
    expect(earned.map(({ rider }) => rider)).toEqual(replies.map(({ outcome }) => (outcome === 'applied' ? EARNS : 0)))
  })

  test('declines what was seen of an order once and for all', async () => {
    const merchant = await mesh.merchant(FLOOR, { trigger_statuses: ['in_transit'] })
    const { id, riderId } = await mesh.onBoard(merchant, { delivery_commission_minor: FLOOR + 1 })
    await mesh.fulfilment(riderCaller(riderId)).updateRiderOrderStatus({ order_id: id, status: 'picked_up' })
    const departed = { order_id: id, op_key: randomUUID(), progress: 'departed', rider_id: riderId }
    const refused = { code: 'insufficient_merchant_wallet' }
    await expect(mesh.fulfilment().recordProgress(departed)).rejects.toMatchObject(refused)
    expect(await mesh.fulfilment().recordProgress(departed)).toEqual({ applied: false })
    expect(await mesh.intents(id)).toEqual([{ kind: 'commission', state: 'declined', attempt: 1 }])
  })

  test.each([
    ['automation is off', { automation: false }, {}],
    ['the commission is zero', {}, { delivery_commission_minor: 0 }],
  ])('moves nothing where %s', async (_, settings, record) => {
    const merchant = await mesh.merchant(100_000, settings)
    const { id, riderId } = await mesh.onBoard(merchant, record)
    expect((await deliver(merchant, id)).order?.status).toBe('delivered')
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual({ merchant: 100_000, escrow: 0, rider: 0 })
    expect(await mesh.intents(id)).toEqual([])
  })

  test('moves nothing without a rider', async () => {
    const merchant = await mesh.merchant(100_000)
    const { order } = await mesh.orders(merchant).createOrder(creation())
    expect((await deliver(merchant, order?.id ?? '')).order?.status).toBe('delivered')
    expect(await mesh.effects(order?.id ?? '')).toEqual([])
  })

  test('is paid by the operator where merchants are not debited', async () => {
    const merchant = await mesh.merchant(FLOOR, { merchant_debit: false })
    const { id, riderId } = await mesh.onBoard(merchant, { delivery_commission_minor: FLOOR + 1 })
    await deliver(merchant, id)
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual({ merchant: FLOOR, escrow: 0, rider: FLOOR + 1 })
  })

  test('of a test order never asks the wallet', async () => {
    const merchant = merchantCaller()
    const { order } = await mesh.orders(merchant).createOrder(creation())
    const asked = mesh.line.count('plan')
    await mesh.simulator(merchant).simulateRiderAction({ order_id: order?.id ?? '', action: 'accept', strict: false })
    expect((await deliver(merchant, order?.id ?? '')).order?.status).toBe('delivered')
    expect(mesh.line.count('plan')).toBe(asked)
    expect(await mesh.effects(order?.id ?? '')).toEqual([])
  })

  test('never passes while the wallet is away, and nothing is begun', async () => {
    const merchant = await mesh.merchant(100_000)
    const { id } = await mesh.onBoard(merchant)
    mesh.line.cut(true)
    try {
      await expect(deliver(merchant, id)).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 2 })
    } finally {
      mesh.line.cut(false)
    }
    expect([await statusOf(merchant, id), await mesh.intents(id)]).toEqual(['accepted', []])
  })
})

describe('settings that were changed a moment ago', () => {
  test('count for the next status: a delivery that settled nothing just now pays', async () => {
    const merchant = await mesh.merchant(100_000, { trigger_statuses: ['picked_up'] })
    const { id, riderId } = await mesh.onBoard(merchant)
    await deliver(merchant, id)
    await mesh.orders(merchant).updateOrder({ id, status: 'in_transit' })
    const settings = { rules: [], trigger_statuses: { values: ['delivered'] } }
    await mesh.wallet.commission
      .as(adminCaller())
      .replaceCommissionSettings({ merchant_id: merchant.merchantId, settings })
    expect((await deliver(merchant, id)).order?.status).toBe('delivered')
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual({ merchant: 95_000, escrow: 0, rider: EARNS })
  })
})

describe('a commission that waits for the payment', () => {
  const waiting = () => mesh.merchant(100_000, { require_payment_verified: true })
  const held = { merchant: 95_000, escrow: EARNS, rider: 0 }
  const paid = { merchant: 95_000, escrow: 0, rider: EARNS }
  const returned = { merchant: 100_000, escrow: 0, rider: 0 }

  test('is held when the order is delivered, and released when the merchant verifies the payment', async () => {
    const merchant = await waiting()
    const { id, riderId } = await mesh.onBoard(merchant)
    await deliver(merchant, id)
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual(held)
    for (const _ of [1, 2]) await mesh.orders(merchant).updateOrder({ id, payment_verified: true })
    await eventually(async () => expect(await mesh.balances(merchant.merchantId, riderId)).toEqual(paid))
  })

  test('is paid at once when the payment is verified with the delivery', async () => {
    const merchant = await waiting()
    const { id, riderId } = await mesh.onBoard(merchant)
    await mesh.orders(merchant).updateOrder({ id, status: 'delivered', payment_verified: true })
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual(paid)
    expect(await mesh.intents(id)).toEqual([{ kind: 'commission', state: 'applied', attempt: 1 }])
  })

  test('is paid by a proof of delivery, which verifies the payment, also after the merchant said delivered', async () => {
    const merchant = await waiting()
    const [first, second] = await Promise.all([mesh.onBoard(merchant), mesh.onBoard(merchant)])
    await deliver(merchant, second!.id)
    for (const { id, riderId } of [first!, second!]) {
      const proof = { order_id: id, rider_id: riderId, op_key: `pod:${randomUUID()}`, pod_json: '{}' }
      const { order } = await mesh.fulfilment().recordProofOfDelivery(proof)
      expect(order).toMatchObject({ status: 'delivered', payment_verified: true })
    }
    await eventually(async () => {
      expect(await mesh.balances(merchant.merchantId, second!.riderId)).toEqual({
        merchant: 90_000,
        escrow: 0,
        rider: EARNS,
      })
    })
    expect((await mesh.balances(merchant.merchantId, first!.riderId)).rider).toBe(EARNS)
  })

  test('goes back when the order leaves the status, and is held anew when it comes again', async () => {
    const merchant = await waiting()
    const { id, riderId } = await mesh.onBoard(merchant)
    await deliver(merchant, id)
    await mesh.orders(merchant).updateOrder({ id, status: 'in_transit' })
    await eventually(async () => expect(await mesh.balances(merchant.merchantId, riderId)).toEqual(returned))
    await deliver(merchant, id)
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual(held)
    await mesh.orders(merchant).updateOrder({ id, status: 'cancelled' })
    await eventually(async () => expect(await mesh.balances(merchant.merchantId, riderId)).toEqual(returned))
    await mesh.orders(merchant).updateOrder({ id, payment_verified: true })
    expect(await mesh.intents(id)).toEqual([
      { kind: 'commission', state: 'applied', attempt: 1 },
      { kind: 'commission_void', state: 'applied', attempt: 1 },
      { kind: 'commission', state: 'applied', attempt: 2 },
      { kind: 'commission_void', state: 'applied', attempt: 2 },
    ])
  })

  test('that is not in escrow when it is released raises an alarm', async () => {
    const merchant = await waiting()
    const { id } = await mesh.onBoard(merchant)
    await deliver(merchant, id)
    const { merchantId } = merchant
    await mesh.line.line.giveBack({ orderId: id, merchantId, paymentVerified: false, source: 'api', version: 1 }, 1)
    await mesh.orders(merchant).updateOrder({ id, payment_verified: true })
    await eventually(async () => expect((await mesh.intents(id)).at(-1)).toMatchObject({ state: 'applied' }))
    const metrics = await (await fetch(`http://${mesh.service.opsAddress()}/metrics`)).text()
    expect(metrics).toMatch(/escrow_contradictions_total\{[^}]*way="release"[^}]*\} 1/)
  })

  test('goes back when a merchant cancels', async () => {
    const merchant = await mesh.merchant(100_000, { require_payment_verified: true, trigger_statuses: ['accepted'] })
    const { id, riderId } = await mesh.onBoard(merchant)
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual(held)
    await mesh.orders(merchant).cancelOrder({ id, reason: 'other' })
    await eventually(async () => expect(await mesh.balances(merchant.merchantId, riderId)).toEqual(returned))
  })

  test('that cannot be given back yet keeps the order from settling anew, and is given back in the end', async () => {
    const merchant = await waiting()
    const { id, riderId } = await mesh.onBoard(merchant)
    await deliver(merchant, id)
    mesh.line.fail('giveBack', ...Array<'unreachable'>(2).fill('unreachable'))
    await mesh.orders(merchant).updateOrder({ id, status: 'in_transit' })
    await expect(deliver(merchant, id)).rejects.toMatchObject({ code: 'service_unavailable' })
    await eventually(async () => expect(await mesh.balances(merchant.merchantId, riderId)).toEqual(returned))
    expect((await deliver(merchant, id)).order?.status).toBe('delivered')
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual(held)
  })
})

describe('what a draft says of the commission', () => {
  test.each([[-1], [1.5], ['5000'], [2 ** 53]])('must be a whole number of minor units: not %p', async (amount) => {
    const merchant = await mesh.merchant(100_000)
    const request = creation({}, { delivery_commission_minor: amount })
    await expect(mesh.orders(merchant).createOrder(request)).rejects.toMatchObject({
      code: 'validation_error',
      details: { field: 'standardized.delivery_commission_minor' },
    })
  })
})

describe('what a rider carries is paid for', () => {
  const reserves = (merchantId: string, minor: number) =>
    eventually(async () => expect(await mesh.reserved(merchantId)).toBe(minor))

  test('the commission is out of the reach of the merchant from the assignment on, and is paid at the delivery', async () => {
    const merchant = await mesh.merchant(100_000)
    const { id, riderId } = await mesh.onBoard(merchant)
    await reserves(merchant.merchantId, EARNS)
    await expect(mesh.withdraw(merchant, 95_001)).rejects.toMatchObject({ code: 'wallet_insufficient' })
    await mesh.withdraw(merchant, 95_000)
    await mesh.fulfilment(riderCaller(riderId)).updateRiderOrderStatus({ order_id: id, status: 'picked_up' })
    const { order } = await mesh
      .fulfilment(riderCaller(riderId))
      .updateRiderOrderStatus({ order_id: id, status: 'delivered' })
    expect(order?.status).toBe('delivered')
    expect((await mesh.balances(merchant.merchantId, riderId)).rider).toBe(EARNS)
    expect(await mesh.reserved(merchant.merchantId)).toBe(0)
  })

  test('what of it the merchant has is reserved, the rest is taken at the delivery, or nothing moves', async () => {
    const merchant = await mesh.merchant(100_000)
    const order = await mesh.onBoard(merchant, { delivery_commission_minor: 120_000 })
    await reserves(merchant.merchantId, 100_000)
    await expect(deliver(merchant, order.id)).rejects.toMatchObject({
      code: 'insufficient_merchant_wallet',
      details: { required_minor: 120_000, balance_minor: 100_000 },
    })
    expect(await mesh.reserved(merchant.merchantId)).toBe(100_000)
    await mesh.wallet.fund({ kind: 'merchant', id: merchant.merchantId }, 30_000)
    await deliver(merchant, order.id)
    expect(await mesh.balances(merchant.merchantId, order.riderId)).toEqual({
      merchant: 10_000,
      escrow: 0,
      rider: 120_000,
    })
    expect(await mesh.reserved(merchant.merchantId)).toBe(0)
  })

  test('it moves with the order to another rider, and goes back when no rider carries it or the order is cancelled', async () => {
    const merchant = await mesh.merchant(100_000)
    const { id } = await mesh.onBoard(merchant)
    await reserves(merchant.merchantId, EARNS)
    const beneficiary = async () => {
      const rows = await mesh.wallet.sql<{ beneficiary_id: string }>(
        `SELECT beneficiary_id FROM holds WHERE subject_kind = 'assignment' AND subject_id = $1 AND state = 'placed'`,
        [id],
      )
      return rows.map(({ beneficiary_id }) => beneficiary_id)
    }
    const second = summary()
    await mesh.fulfilment().commitAssignment(acceptance(id, second, { expected_assignment_version: 1 }))
    await eventually(async () => expect(await beneficiary()).toEqual([second.id]))
    await mesh.fulfilment().commitAssignment({
      ...acceptance(id, second, { expected_assignment_version: 2, accept: false }),
      rider: undefined,
    })
    await reserves(merchant.merchantId, 0)
    const third = summary()
    await mesh.fulfilment().commitAssignment(acceptance(id, third, { expected_assignment_version: 3 }))
    await reserves(merchant.merchantId, EARNS)
    await mesh.orders(merchant).cancelOrder({ id, reason: 'other' })
    await reserves(merchant.merchantId, 0)
    expect((await mesh.balances(merchant.merchantId, third.id)).merchant).toBe(100_000)
  })

  test('it is reserved again when the order leaves the status that had put it into escrow', async () => {
    const merchant = await mesh.merchant(100_000, { require_payment_verified: true })
    const { id, riderId } = await mesh.onBoard(merchant)
    await reserves(merchant.merchantId, EARNS)
    await deliver(merchant, id)
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual({ merchant: 95_000, escrow: EARNS, rider: 0 })
    expect(await mesh.reserved(merchant.merchantId)).toBe(0)
    await mesh.orders(merchant).updateOrder({ id, status: 'in_transit' })
    await reserves(merchant.merchantId, EARNS)
  })

  test('it is reserved again also where the wallet that gave it back reserves nothing in the same call', async () => {
    const merchant = await mesh.merchant(100_000, { require_payment_verified: true, trigger_statuses: ['picked_up'] })
    const { id, riderId } = await mesh.onBoard(merchant)
    await reserves(merchant.merchantId, EARNS)
    await mesh.fulfilment(riderCaller(riderId)).updateRiderOrderStatus({ order_id: id, status: 'picked_up' })
    expect(await mesh.reserved(merchant.merchantId)).toBe(0)
    mesh.line.fail('giveBack', mesh.giveBackOnly)
    await mesh.orders(merchant).updateOrder({ id, status: 'accepted' })
    await eventually(async () =>
      expect(await mesh.intents(id)).toContainEqual({ kind: 'commission_void', state: 'applied', attempt: 1 }),
    )
    await reserves(merchant.merchantId, EARNS)
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual({ merchant: 100_000, escrow: 0, rider: 0 })
  })

  /** Orders with riders of which the wallet knows nothing, as of an earlier release. */
  async function untold(merchant: Parameters<SettlementMesh['orders']>[0], count: number) {
    mesh.line.fail('reserve', ...Array<'unreachable'>(1_000).fill('unreachable'))
    for (let made = 0; made < count; made++) await mesh.onBoard(merchant)
    await eventually(async () => {
      await mesh.service.context.database.worker.query(
        "DELETE FROM intent WHERE kind = 'commission_reserve' AND lease IS NULL",
      )
      expect(await mesh.rows("SELECT FROM intent WHERE kind = 'commission_reserve'")).toEqual([])
    })
    mesh.line.fail('reserve')
  }
  const walkAnew = () =>
    mesh.service.context.database.worker.query(
      'UPDATE carried_told SET after = NULL, first_ended_at = NULL, done_at = NULL',
    )

  test('orders that riders carried before commissions were reserved are reserved too, by as many as it takes', async () => {
    const merchant = await mesh.merchant(100_000)
    await untold(merchant, 3)
    await walkAnew()
    const seen = async () => (await mesh.rows('SELECT after FROM carried_told'))[0]
    const before = await seen()
    expect(await tellCarried(mesh.service.context, 1)).toBe(true)
    expect(await seen()).not.toEqual(before)
    while (await tellCarried(mesh.service.context, 1));
    await reserves(merchant.merchantId, 3 * EARNS)
  })

  test('orders that an earlier release gave to riders behind that walk are found by a second one, an hour later', async () => {
    const merchant = await mesh.merchant(100_000)
    await walkAnew()
    while (await tellCarried(mesh.service.context));
    await untold(merchant, 1)
    expect(await tellCarried(mesh.service.context)).toBe(false)
    expect(await mesh.rows("SELECT FROM intent WHERE kind = 'commission_reserve'")).toEqual([])
    await mesh.service.context.database.worker.query(
      "UPDATE carried_told SET first_ended_at = first_ended_at - interval '1 hour'",
    )
    while (await tellCarried(mesh.service.context, 1));
    await reserves(merchant.merchantId, EARNS)
    expect(await mesh.rows('SELECT FROM carried_told WHERE done_at IS NOT NULL')).toHaveLength(1)
  })

  test('a withdrawal between the return from escrow and the next reservation finds nothing', async () => {
    const merchant = await mesh.merchant(100_000, { require_payment_verified: true, trigger_statuses: ['picked_up'] })
    const { id, riderId } = await mesh.onBoard(merchant)
    await reserves(merchant.merchantId, EARNS)
    await mesh.fulfilment(riderCaller(riderId)).updateRiderOrderStatus({ order_id: id, status: 'picked_up' })
    await mesh.withdraw(merchant, 95_000)
    mesh.line.fail('giveBack', 'unreachable')
    mesh.line.fail('reserve', ...Array<'unreachable'>(1_000).fill('unreachable'))
    await mesh.orders(merchant).updateOrder({ id, status: 'accepted' })
    const next = summary()
    await mesh.fulfilment().commitAssignment(acceptance(id, next, { accept: false, expected_assignment_version: 1 }))
    await eventually(async () => {
      await expect(mesh.withdraw(merchant, 1)).rejects.toMatchObject({ code: 'wallet_insufficient' })
      expect(await mesh.intents(id)).toContainEqual({ kind: 'commission_void', state: 'applied', attempt: 1 })
    })
    expect(await mesh.reserved(merchant.merchantId)).toBe(EARNS)
    const [hold] = await mesh.wallet.sql<{ beneficiary_id: string }>(
      `SELECT beneficiary_id FROM holds WHERE subject_kind = 'assignment' AND subject_id = $1 AND state = 'placed'`,
      [id],
    )
    expect(hold?.beneficiary_id).toBe(next.id)
    mesh.line.fail('reserve')
  })

  test('news of the order that comes late changes nothing, before a settlement and after it', async () => {
    const merchant = await mesh.merchant(100_000)
    const { id, riderId } = await mesh.onBoard(merchant)
    await reserves(merchant.merchantId, EARNS)
    const carried = { orderId: id, merchantId: merchant.merchantId, paymentVerified: false, source: 'api', riderId }
    const { riderId: _, ...uncarried } = carried
    await mesh.line.line.reserve({ ...uncarried, version: 1 })
    expect(await mesh.reserved(merchant.merchantId)).toBe(EARNS)
    await deliver(merchant, id)
    await mesh.line.line.reserve({ ...carried, version: 99 })
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual({ merchant: 95_000, escrow: 0, rider: EARNS })
    expect(await mesh.reserved(merchant.merchantId)).toBe(0)
  })
})
