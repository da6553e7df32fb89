import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { eventually, onceAvailable, riderCaller } from '@svc/testing'
import { acceptance, summary } from './order-mesh.ts'
import { type SettlementMesh, settlementMesh } from './settlement-mesh.ts'

let mesh: SettlementMesh
let clockMs = 0
beforeAll(async () => {
  mesh = await settlementMesh()
})
afterEach(() => {
  mesh.line.cut(false)
  mesh.line.fail('settle')
})
afterAll(() => mesh?.stop())

const EARNS = 5_000
const paid = { merchant: 95_000, escrow: 0, rider: EARNS }
const untouched = { merchant: 100_000, escrow: 0, rider: 0 }
const unreachable = (times: number) => Array<'unreachable'>(times).fill('unreachable')

async function underWay() {
  const merchant = await mesh.merchant(100_000)
  return { merchant, ...(await mesh.onBoard(merchant)) }
}
const deliver = (merchant: Caller, id: string) => mesh.orders(merchant).updateOrder({ id, status: 'delivered' })
const cancel = (merchant: Caller, id: string) => mesh.orders(merchant).cancelOrder({ id, reason: 'other' })
const statusOf = async (merchant: Caller, id: string) => (await mesh.orders(merchant).getOrder({ id })).order?.status
/** Leases and backoffs end at once. */
const later = (ms: number) => mesh.database.shiftClock((clockMs += ms))
const delivered = async (id: string) => (await mesh.facts(id)).filter(({ type }) => type === 'order.delivered').length
const settled = (id: string) =>
  eventually(async () => {
    await later(1_000)
    const intents = await mesh.intents(id)
    expect(intents.filter(({ state }) => state === 'pending' || state === 'aborting')).toEqual([])
    return intents.length > 0 && intents
  })

describe('an order service that dies', () => {
  test.each([
    ['settlement begun', 1],
    ['settlement due', 1],
    ['settlement due', 3],
    ['settlement answered', 1],
    ['settlement answered', 3],
    ['settlement finished', 1],
  ])('at "%s" (%i times) leaves a settlement that another finishes, once', async (failpoint, times) => {
    const { merchant, id, riderId } = await underWay()
    mesh.death.at(failpoint, times)
    await expect(deliver(merchant, id)).rejects.toMatchObject({ code: 'internal_error' })
    await settled(id)
    expect(await mesh.intents(id)).toEqual([{ kind: 'commission', state: 'applied', attempt: 1 }])
    expect([await statusOf(merchant, id), await delivered(id)]).toEqual(['delivered', 1])
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual(paid)
    expect((await deliver(merchant, id)).order?.status).toBe('delivered')
  })

  test('while its rider reports keeps report and key: the repeat from the app is the same act', async () => {
    const { merchant, id, riderId } = await underWay()
    const rider = mesh.fulfilment(riderCaller(riderId))
    await rider.updateRiderOrderStatus({ order_id: id, status: 'picked_up' })
    const report = { order_id: id, status: 'delivered', client_event_id: randomUUID() }
    mesh.death.at('settlement answered')
    await expect(rider.updateRiderOrderStatus(report)).rejects.toMatchObject({ code: 'internal_error' })
    await settled(id)
    const { order } = await rider.updateRiderOrderStatus(report)
    expect(order).toMatchObject({ status: 'delivered' })
    expect(await delivered(id)).toBe(1)
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual(paid)
  })

  test('before it tells a refusal leaves the status as it was', async () => {
    const merchant = await mesh.merchant(50_000)
    const { id, riderId } = await mesh.onBoard(merchant, { delivery_commission_minor: 50_001 })
    mesh.death.at('settlement answered')
    await expect(deliver(merchant, id)).rejects.toMatchObject({ code: 'internal_error' })
    await settled(id)
    expect(await mesh.intents(id)).toEqual([{ kind: 'commission', state: 'declined', attempt: 1 }])
    expect(await statusOf(merchant, id)).toBe('accepted')
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual({ merchant: 50_000, escrow: 0, rider: 0 })
  })
})

describe('a wallet', () => {
  test('whose reply is lost is asked again under the same key, and the client learns how it ended', async () => {
    const { merchant, id, riderId } = await underWay()
    mesh.line.fail('settle', 'reply lost', 'unreachable', 'reply lost')
    expect((await deliver(merchant, id)).order?.status).toBe('delivered')
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual(paid)
    expect(await mesh.intents(id)).toEqual([{ kind: 'commission', state: 'applied', attempt: 1 }])
  })

  test('that is slow to answer twins which expect the same status makes one change, and both are told of it', async () => {
    const { merchant, id } = await underWay()
    mesh.line.fail('settle', 'reply lost', 'unreachable', 'unreachable')
    const asked = (expected_status: string) =>
      mesh.orders(merchant).updateOrder({ id, status: 'delivered', expected_status })
    const replies = await Promise.all([asked('accepted'), asked('accepted')])
    expect(replies.map(({ order }) => order?.status)).toEqual(['delivered', 'delivered'])
    await expect(asked('accepted')).rejects.toMatchObject({ code: 'status_conflict' })
    expect(await delivered(id)).toBe(1)
  })

  test('that is away for long keeps the order as it is for everybody, until it is back', async () => {
    const { merchant, id, riderId } = await underWay()
    mesh.line.fail('settle', ...unreachable(1_000))
    const [first, twin, other, reassigned] = await Promise.allSettled([
      deliver(merchant, id),
      deliver(merchant, id),
      eventually(async () => (await mesh.intents(id)).length > 0).then(() => cancel(merchant, id)),
      eventually(async () => (await mesh.intents(id)).length > 0).then(() =>
        mesh.fulfilment().commitAssignment(acceptance(id, summary(), { expected_assignment_version: 1 })),
      ),
    ])
    const intent = expect.objectContaining({ intent_id: expect.any(String) })
    const refusal = { code: 'service_unavailable', retryAfterSeconds: 2, details: intent }
    for (const asked of [first, twin, other, reassigned]) expect(asked).toMatchObject({ reason: refusal })
    expect(await mesh.intents(id)).toEqual([{ kind: 'commission', state: 'pending', attempt: 1 }])
    expect(await statusOf(merchant, id)).toBe('accepted')

    mesh.line.fail('settle')
    await settled(id)
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual(paid)
    expect((await deliver(merchant, id)).order?.status).toBe('delivered')
    await expect(cancel(merchant, id)).rejects.toMatchObject({ code: 'cannot_cancel' })
    expect(await delivered(id)).toBe(1)
  })

  test('that answers when another process has finished changes nothing any more', async () => {
    const { merchant, id, riderId } = await underWay()
    const { promise, resolve } = Promise.withResolvers<void>()
    mesh.line.fail('settle', promise)
    const asked = mesh.orders(merchant).updateOrder({ id, status: 'delivered', expected_status: 'accepted' })
    await eventually(async () => (await mesh.intents(id)).length > 0)
    await settled(id)
    resolve()
    expect((await asked).order?.status).toBe('delivered')
    expect(await delivered(id)).toBe(1)
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual(paid)
  })

  test('whose answer is slow makes a cancel wait, which is then told that the order was delivered', async () => {
    const { merchant, id } = await underWay()
    const { promise, resolve } = Promise.withResolvers<void>()
    mesh.line.fail('settle', promise)
    const asked = deliver(merchant, id)
    await eventually(async () => (await mesh.intents(id)).length > 0)
    const cancelling = expect(cancel(merchant, id)).rejects.toMatchObject({ code: 'cannot_cancel' })
    resolve()
    await cancelling
    expect((await asked).order?.status).toBe('delivered')
  })
})

describe('a cancel that races a delivery', () => {
  test('leaves the order delivered and its rider paid, or cancelled and nobody', async () => {
    const merchant = await mesh.merchant(1_000_000)
    const orders = await Promise.all(Array.from({ length: 6 }, () => mesh.onBoard(merchant)))
    for (const { id, riderId } of orders) {
      const [made, ended] = await Promise.allSettled([
        onceAvailable(() => deliver(merchant, id)),
        onceAvailable(() => cancel(merchant, id)),
      ])
      expect(made.status).toBe('fulfilled')
      if (ended.status === 'rejected') expect(ended.reason).toMatchObject({ code: 'cannot_cancel' })
      const { rider } = await mesh.balances(merchant.merchantId, riderId)
      expect([await statusOf(merchant, id), rider]).toEqual(['delivered', EARNS])
    }
  })
})

describe('an operator who gives a settlement up', () => {
  const abort = (id: string) =>
    promisify(execFile)(
      process.execPath,
      ['--conditions=source', new URL('../src/commands/abort-settlement.ts', import.meta.url).pathname, id],
      { env: { ...process.env, ...mesh.environment } },
    )

  test('makes the attempt take no effect, however late it arrives; the next one is another', async () => {
    const { merchant, id, riderId } = await underWay()
    mesh.line.fail('settle', ...unreachable(1_000))
    await expect(deliver(merchant, id)).rejects.toMatchObject({ code: 'service_unavailable' })
    await abort(id)
    mesh.line.fail('settle')
    await settled(id)
    expect(await mesh.intents(id)).toEqual([{ kind: 'commission', state: 'aborted', attempt: 1 }])
    expect(await statusOf(merchant, id)).toBe('accepted')
    const { merchantId } = merchant
    const money = { amountMinor: EARNS, currency: 'NGN', mode: 'pay', payer: 'merchant' } as const
    const late = await mesh.line.line.settle({ orderId: id, merchantId, riderId, ...money }, 1)
    expect(late).toMatchObject({ outcome: 'aborted' })
    expect(await mesh.balances(merchantId, riderId)).toEqual(untouched)

    await deliver(merchant, id)
    expect(await mesh.balances(merchantId, riderId)).toEqual(paid)
    await expect(abort(id)).rejects.toMatchObject({ code: 1 })
  })

  test('too late sees the order enter its status after all', async () => {
    const { merchant, id, riderId } = await underWay()
    mesh.line.fail('settle', 'reply lost', ...unreachable(1_000))
    await expect(deliver(merchant, id)).rejects.toMatchObject({ code: 'service_unavailable' })
    await abort(id)
    mesh.line.fail('settle')
    await settled(id)
    expect(await mesh.intents(id)).toEqual([{ kind: 'commission', state: 'applied', attempt: 1 }])
    expect(await statusOf(merchant, id)).toBe('delivered')
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual(paid)
  })
})
