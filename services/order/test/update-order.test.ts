import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { AuditRecorded } from '@svc/contracts/common/v1/audit'
import { OrderServiceService } from '@svc/contracts/order/v1/order_service'
import type { Caller } from '@svc/grpc'
import { merchantCaller, onceAvailable, testClient } from '@svc/testing'
import pg from 'pg'
import { creation, type OrderMesh, orderMesh } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh()
})
afterAll(() => mesh.stop())

async function place(caller: Caller): Promise<string> {
  const { order } = await mesh.orders(caller).createOrder(creation())
  return order?.id ?? ''
}

const announced = async (id: string) => (await mesh.facts(id)).slice(1).map(({ type }) => type)

test('an order whose row is held for longer than a request waits is refused for now, and not changed', async () => {
  const caller = merchantCaller()
  const id = await place(caller)
  const holder = new pg.Client({ connectionString: mesh.database.workerUrl })
  await holder.connect()
  try {
    await holder.query('BEGIN')
    await holder.query('SELECT FROM orders WHERE id = $1 FOR UPDATE', [id])
    await expect(mesh.orders(caller).updateOrder({ id, status: 'picked_up' })).rejects.toMatchObject({
      code: 'service_unavailable',
      retryAfterSeconds: 1,
    })
  } finally {
    await holder.end()
  }
  expect(await announced(id)).toEqual([])
})

describe('setting a status', () => {
  test('changes the order everywhere it is told and announces each fact with its own version', async () => {
    const caller = merchantCaller()
    const id = await place(caller)
    const { order } = await mesh.orders(caller).updateOrder({ id, status: 'picked_up' })
    expect(order).toMatchObject({ status: 'picked_up', version: 3 })
    expect(JSON.parse(order?.unified_json ?? '').status).toBe('picked_up')
    const facts = await mesh.facts(id)
    expect(facts.map(({ type, aggregate_version, fact }) => [type, aggregate_version, fact.order?.version])).toEqual([
      ['order.created', 1, 1],
      ['order.picked_up', 2, 2],
      ['order.status_updated', 3, 3],
    ])
    expect(facts[2]?.fact).toMatchObject({
      previous_status: 'pending',
      order: { status: 'picked_up', updated_at: order?.updated_at },
    })
    expect((await mesh.orders(caller).getOrder({ id })).order).toEqual(order)
  })

  test('to what it is already announces nothing', async () => {
    const caller = merchantCaller()
    const id = await place(caller)
    const { order } = await mesh.orders(caller).updateOrder({ id, status: 'pending' })
    expect(order?.updated_at).toBe(order?.created_at)
    expect(await announced(id)).toEqual([])
  })

  test('accepts any string of 1 to 128 characters, and no other', async () => {
    const caller = merchantCaller()
    const id = await place(caller)
    const status = 'ü'.repeat(128)
    expect((await mesh.orders(caller).updateOrder({ id, status })).order?.status).toBe(status)
    for (const bad of ['', 'x'.repeat(129)]) {
      await expect(mesh.orders(caller).updateOrder({ id, status: bad })).rejects.toMatchObject({
        code: 'validation_error',
        details: { field: 'status' },
      })
    }
    await expect(mesh.orders(caller).updateOrder({ id })).rejects.toMatchObject({ code: 'validation_error' })
  })

  test('is refused when the order no longer has the expected status', async () => {
    const caller = merchantCaller()
    const id = await place(caller)
    await mesh.orders(caller).updateOrder({ id, status: 'accepted', expected_status: 'pending' })
    await expect(
      mesh.orders(caller).updateOrder({ id, status: 'delivered', expected_status: 'pending' }),
    ).rejects.toMatchObject({
      code: 'status_conflict',
      details: { status: 'accepted' },
    })
  })

  test('to cancelled sets cancelled_at, away from it clears it, and leaves an audit row for the terminal status left', async () => {
    const caller = merchantCaller()
    const id = await place(caller)
    const cancelled = await mesh.orders(caller).updateOrder({ id, status: 'cancelled' })
    expect(cancelled.order?.cancelled_at).toBe(cancelled.order?.updated_at)
    expect(await announced(id)).toEqual(['order.status_updated', 'order.cancelled'])
    const revived = await mesh.orders(caller).updateOrder({ id, status: 'pending' })
    expect(revived.order?.cancelled_at).toBeUndefined()

    const rows = await mesh.rows<{ payload: Buffer }>(
      `SELECT payload FROM outbox WHERE type = 'audit.recorded' AND merchant_id = $1`,
      [caller.merchantId],
    )
    expect(rows.map(({ payload }) => AuditRecorded.decode(payload))).toEqual([
      expect.objectContaining({
        action: 'order.status_override',
        actor_type: 'merchant_key',
        actor_id: caller.actor.id,
        resource_id: id,
        before_json: '{"status":"cancelled"}',
        after_json: '{"status":"pending"}',
      }),
    ])
  })

  test('from many clients at once loses no change: each fact continues where the one before ended', async () => {
    const caller = merchantCaller()
    const id = await place(caller)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        onceAvailable(() => mesh.orders(caller).updateOrder({ id, status: `step ${index}` })),
      ),
    )
    const facts = await mesh.facts(id)
    expect(facts.map(({ aggregate_version }) => aggregate_version)).toEqual(facts.map((_, index) => index + 1))
    expect(facts.slice(1).map(({ fact }) => fact.previous_status)).toEqual(
      facts.slice(0, -1).map(({ fact }) => fact.order?.status),
    )
    expect((await mesh.orders(caller).getOrder({ id })).order?.status).toBe(facts.at(-1)?.fact.order?.status)
  })
})

describe('the payment mark', () => {
  test('alone announces nothing and is read back', async () => {
    const caller = merchantCaller()
    const id = await place(caller)
    const { order } = await mesh.orders(caller).updateOrder({ id, payment_verified: true })
    expect(order?.payment_verified).toBe(true)
    expect(JSON.parse(order?.unified_json ?? '').payment_verified).toBe(true)
    expect(await announced(id)).toEqual([])
  })

  test('set with a status is part of the facts of that status', async () => {
    const caller = merchantCaller()
    const id = await place(caller)
    await mesh.orders(caller).updateOrder({ id, status: 'delivered', payment_verified: true })
    const facts = await mesh.facts(id)
    expect(facts.map(({ type }) => type)).toEqual(['order.created', 'order.delivered', 'order.status_updated'])
    expect(facts[1]?.fact.order?.payment_verified).toBe(true)
  })
})

describe('who may set it', () => {
  test("another tenant's order and the other environment's answer like an unknown one", async () => {
    const caller = merchantCaller()
    const id = await place(caller)
    for (const [stranger, target] of [
      [merchantCaller(), id],
      [{ ...caller, isTest: false }, id],
      [caller, randomUUID()],
      [caller, 'no-uuid'],
    ] as const) {
      await expect(mesh.orders(stranger).updateOrder({ id: target, status: 'x' })).rejects.toMatchObject({
        code: 'not_found',
      })
    }
    expect(await announced(id)).toEqual([])
  })

  test('a merchant whose billing blocks writes is refused', async () => {
    const caller = merchantCaller()
    const id = await place(caller)
    const standing = { billingStatus: 'compliance_hold', kybStatus: 'verified', businessApprovalStatus: 'approved' }
    await expect(mesh.orders({ ...caller, standing }).updateOrder({ id, status: 'x' })).rejects.toMatchObject({
      code: 'billing_blocked',
    })
  })

  test('a key that may only read is refused', async () => {
    const caller = merchantCaller()
    const id = await place(caller)
    await expect(
      mesh.orders({ ...caller, scopes: ['orders:read'] }).updateOrder({ id, status: 'x' }),
    ).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('a strict status guard', () => {
  test('refuses what is out of order and says what would be in order', async () => {
    const strict = await mesh.start({ orderStatusGuard: 'strict', instance: 'strict' })
    const client = testClient(OrderServiceService, { address: strict.address(), to: 'order' })
    try {
      const caller = merchantCaller()
      const id = await place(caller)
      await expect(client.as(caller).updateOrder({ id, status: 'delivered' })).rejects.toMatchObject({
        code: 'invalid_transition',
        details: { status: 'pending', allowed: ['accepted', 'cancelled'] },
      })
      expect((await client.as(caller).updateOrder({ id, status: 'accepted' })).order?.status).toBe('accepted')
    } finally {
      client.close()
      await strict.stop()
    }
  })
})
