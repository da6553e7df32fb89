import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { AuditRecorded } from '@svc/contracts/common/v1/audit'
import type { Caller } from '@svc/grpc'
import { adminCaller, merchantCaller, onceAvailable } from '@svc/testing'
import { clientsOf, creation, type OrderMesh, orderMesh } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh()
})
afterAll(() => mesh.stop())

async function place(caller: Caller, status?: string): Promise<string> {
  const { order } = await mesh.orders(caller).createOrder(creation())
  if (status) await mesh.orders(caller).updateOrder({ id: order?.id ?? '', status })
  return order?.id ?? ''
}

const types = async (id: string) => (await mesh.facts(id)).map(({ type }) => type)

describe('cancelling', () => {
  test('records who, when and why, and announces one status_updated and the internal order.cancelled', async () => {
    const caller = merchantCaller()
    const id = await place(caller)
    const { order, already_cancelled } = await mesh
      .orders(caller)
      .cancelOrder({ id, reason: 'no_supply', notes: 'sorry' })
    expect(already_cancelled).toBe(false)
    expect(order).toMatchObject({ status: 'cancelled', cancelled_at: order?.updated_at })
    expect(JSON.parse(order?.unified_json ?? '').cancellation).toEqual({
      reason: 'no_supply',
      notes: 'sorry',
      actor_type: 'merchant_key',
      actor_id: caller.actor.id,
      at: order?.cancelled_at,
    })
    expect(await types(id)).toEqual(['order.created', 'order.status_updated', 'order.cancelled'])
  })

  test('twice changes nothing, 20 times at once neither', async () => {
    const caller = merchantCaller()
    const id = await place(caller)
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => onceAvailable(() => mesh.orders(caller).cancelOrder({ id, reason: 'other' }))),
    )
    expect(replies.filter(({ already_cancelled }) => !already_cancelled)).toHaveLength(1)
    expect(new Set(replies.map(({ order }) => order?.cancelled_at)).size).toBe(1)
    expect(await types(id)).toEqual(['order.created', 'order.status_updated', 'order.cancelled'])
  })

  test.each(['delivered', 'returned_to_merchant', 'lost_in_transit'])(
    'an order that is %s is refused',
    async (status) => {
      const caller = merchantCaller()
      const id = await place(caller, status)
      await expect(mesh.orders(caller).cancelOrder({ id, reason: 'other' })).rejects.toMatchObject({
        code: 'cannot_cancel',
        details: { status, policy: 'default' },
      })
    },
  )

  test('after pickup is refused where the policy ends there', async () => {
    const strict = await mesh.start({ cancelPolicy: 'before_pickup', instance: 'strict' })
    const clients = clientsOf(strict.address())
    try {
      const caller = merchantCaller()
      const id = await place(caller, 'in_transit')
      await expect(clients.orders(caller).cancelOrder({ id, reason: 'other' })).rejects.toMatchObject({
        code: 'cannot_cancel',
        details: { status: 'in_transit', policy: 'before_pickup' },
      })
    } finally {
      clients.close()
      await strict.stop()
    }
  })

  test.each([
    ['no reason', '', undefined, 'reason'],
    ['a reason of 513 characters', 'x'.repeat(513), undefined, 'reason'],
    ['notes of 2,001 characters', 'other', 'x'.repeat(2001), 'notes'],
  ])('with %s names the field', async (_, reason, notes, field) => {
    const caller = merchantCaller()
    const id = await place(caller)
    await expect(mesh.orders(caller).cancelOrder({ id, reason, notes })).rejects.toMatchObject({
      code: 'validation_error',
      details: { field },
    })
  })

  test("another tenant's order answers like an unknown one", async () => {
    const id = await place(merchantCaller())
    await expect(mesh.orders(merchantCaller()).cancelOrder({ id, reason: 'other' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('is never gated by billing', async () => {
    const caller = merchantCaller()
    const id = await place(caller)
    const standing = { billingStatus: 'canceled', kybStatus: 'verified', businessApprovalStatus: 'approved' }
    expect(await mesh.orders({ ...caller, standing }).cancelOrder({ id, reason: 'other' })).toMatchObject({
      already_cancelled: false,
    })
  })
})

describe('an operator', () => {
  test("cancels any merchant's order, once, and leaves exactly one audit row", async () => {
    const id = await place(merchantCaller())
    const operator = adminCaller({ ip: '127.0.0.9' })
    await mesh.orders(operator).cancelOrder({ id, reason: 'technical_issue' })
    expect(await mesh.orders(operator).cancelOrder({ id, reason: 'technical_issue' })).toMatchObject({
      already_cancelled: true,
    })
    const rows = await mesh.rows<{ payload: Buffer }>(`SELECT payload FROM outbox WHERE type = 'audit.recorded'`)
    const audits = rows
      .map(({ payload }) => AuditRecorded.decode(payload))
      .filter(({ resource_id }) => resource_id === id)
    expect(audits).toEqual([
      expect.objectContaining({
        action: 'order.admin_cancel',
        actor_type: 'admin',
        actor_id: operator.actor.id,
        ip: '127.0.0.9',
      }),
    ])
  })

  test('without the permission is refused', async () => {
    const id = await place(merchantCaller())
    await expect(
      mesh.orders(adminCaller({ permissions: ['admin.orders.read'] })).cancelOrder({ id, reason: 'other' }),
    ).rejects.toMatchObject({ code: 'forbidden', details: { required: ['admin.orders.write'] } })
  })
})
