import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { eventually, riderCaller } from '@svc/testing'
import fc from 'fast-check'
import { acceptance, summary } from './order-mesh.ts'
import { type SettlementMesh, settlementMesh } from './settlement-mesh.ts'

const RUNS = Number(process.env['SETTLEMENT_RUNS'] ?? 8)
const EARNS = 5_000
const ENOUGH = 1_000_000

let mesh: SettlementMesh
beforeAll(async () => {
  mesh = await settlementMesh()
})
afterAll(() => mesh?.stop())
// What went wrong last may still be to come: the next property starts with nothing wrong.
beforeEach(() => {
  for (const call of ['settle', 'giveBack', 'release'] as const) mesh.line.fail(call)
  for (const step of ['begun', 'due', 'answered', 'finished']) mesh.death.at(`settlement ${step}`, 0)
})

const ACTS = ['deliver', 'leave', 'cancel', 'report', 'prove', 'verify', 'unverify'] as const
type Doing = (typeof ACTS)[number]
const FAILURES = [
  'begun',
  'due',
  'answered',
  'finished',
  'settle lost',
  'settle away',
  'return lost',
  'release lost',
] as const

/** Acts that come at once, and what goes wrong meanwhile. */
const round = fc.record({
  acts: fc.array(fc.constantFrom(...ACTS), { minLength: 1, maxLength: 4 }),
  failure: fc.option(fc.constantFrom(...FAILURES), { nil: null }),
})

function perform(merchant: Awaited<ReturnType<SettlementMesh['merchant']>>, id: string, riderId: string) {
  const orders = mesh.orders(merchant)
  const doings: Record<Doing, () => Promise<unknown>> = {
    deliver: () => orders.updateOrder({ id, status: 'delivered' }),
    leave: () => orders.updateOrder({ id, status: 'picked_up' }),
    cancel: () => orders.cancelOrder({ id, reason: 'other' }),
    report: () => mesh.fulfilment(riderCaller(riderId)).updateRiderOrderStatus({ order_id: id, status: 'delivered' }),
    prove: () =>
      mesh.fulfilment().recordProofOfDelivery({ order_id: id, rider_id: riderId, op_key: `pod:${id}`, pod_json: '{}' }),
    verify: () => orders.updateOrder({ id, payment_verified: true }),
    unverify: () => orders.updateOrder({ id, payment_verified: false }),
  }
  return (doing: Doing) => doings[doing]()
}

function goWrong(failure: (typeof FAILURES)[number] | null): void {
  const { line, death } = mesh
  if (failure === 'settle lost') line.fail('settle', 'reply lost')
  else if (failure === 'settle away') line.fail('settle', 'unreachable', 'unreachable')
  else if (failure === 'return lost') line.fail('giveBack', 'reply lost')
  else if (failure === 'release lost') line.fail('release', 'reply lost')
  else if (failure) death.at(`settlement ${failure}`)
}

let clockMs = 0
const quiet = (id: string) =>
  eventually(async () => {
    await mesh.database.shiftClock((clockMs += 2_000))
    const open = (await mesh.intents(id)).filter(({ state }) => state === 'pending')
    expect(open).toEqual([])
  })

/** What the ledger holds and paid for an order, and whether it says the same as the order. */
async function judge(merchantId: string, id: string, riderId: string): Promise<void> {
  const [order] = await mesh.rows<{ status: string; settling_id: string | null; commission_state: string | null }>(
    'SELECT status, settling_id, commission_state FROM orders WHERE id = $1',
    [id],
  )
  const { merchant, escrow, rider } = await mesh.balances(merchantId, riderId)
  expect(merchant + escrow + rider).toBe(ENOUGH)
  expect([0, EARNS]).toContain(escrow + rider)
  expect(order).toEqual({
    status: order?.status,
    settling_id: null,
    commission_state: rider > 0 ? 'paid' : escrow > 0 ? 'held' : null,
  })
  if (order?.status === 'delivered') expect(escrow + rider).toBe(EARNS)
  else expect(escrow).toBe(0)
  // Every status that was told follows from the one told before.
  let told: string | undefined = 'accepted'
  for (const { fact } of (await mesh.facts(id)).filter(({ type }) => type === 'order.status_updated')) {
    expect(fact.previous_status).toBe(told)
    told = fact.order?.status
  }
  expect(told).toBe(order?.status)
}

test('whatever comes at once and whoever dies, an order is delivered exactly when its commission is paid or held', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(round, { minLength: 1, maxLength: 5 }), async (mustVerify, rounds) => {
      const merchant = await mesh.merchant(ENOUGH, { require_payment_verified: mustVerify })
      const { id, riderId } = await mesh.onBoard(merchant)
      await mesh.fulfilment(riderCaller(riderId)).updateRiderOrderStatus({ order_id: id, status: 'picked_up' })
      const act = perform(merchant, id, riderId)
      for (const { acts, failure } of rounds) {
        goWrong(failure)
        for (const answer of await Promise.allSettled(acts.map(act))) {
          if (answer.status === 'rejected') {
            expect(['cannot_cancel', 'invalid_transition', 'service_unavailable', 'internal_error']).toContain(
              answer.reason.code,
            )
          }
        }
        await quiet(id)
        await judge(merchant.merchantId, id, riderId)
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
}, 600_000)

/** What comes between the pickup, at which the commission is held, and the payment. */
const between = fc.array(fc.constantFrom('reassign', 'unverify'), { maxLength: 4 })

test('whoever carries the order when it is paid, the rider is paid for whom the commission was held', async () => {
  await fc.assert(
    fc.asyncProperty(between, fc.boolean(), async (steps, isOneStep) => {
      const changes = { require_payment_verified: true, trigger_statuses: ['picked_up', 'delivered'] }
      const merchant = await mesh.merchant(ENOUGH, changes)
      const { id, riderId: earner } = await mesh.onBoard(merchant)
      await mesh.fulfilment(riderCaller(earner)).updateRiderOrderStatus({ order_id: id, status: 'picked_up' })
      const riders = [earner]
      for (const step of ['reassign', ...steps]) {
        if (step === 'reassign') {
          const next = summary()
          const given = { accept: false, expected_assignment_version: riders.length }
          const { order } = await mesh.fulfilment().commitAssignment(acceptance(id, next, given))
          expect(order?.rider?.id).toBe(next.id)
          riders.push(next.id)
        } else await mesh.orders(merchant).updateOrder({ id, payment_verified: false })
      }
      if (isOneStep) await mesh.orders(merchant).updateOrder({ id, status: 'delivered', payment_verified: true })
      else {
        await mesh.orders(merchant).updateOrder({ id, payment_verified: true })
        await quiet(id)
        await mesh.orders(merchant).updateOrder({ id, status: 'delivered' })
      }
      await quiet(id)
      for (const riderId of riders)
        expect(await mesh.balances(merchant.merchantId, riderId)).toEqual({
          merchant: ENOUGH - EARNS,
          escrow: 0,
          rider: riderId === earner ? EARNS : 0,
        })
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
}, 600_000)
