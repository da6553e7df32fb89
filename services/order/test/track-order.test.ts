import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { merchantCaller } from '@svc/testing'
import { creation, type OrderMesh, orderMesh } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh()
})
afterAll(() => mesh.stop())

const anyone: Caller = {
  kind: 'public',
  isTest: null,
  scopes: [],
  actor: { type: 'system', id: 'gateway' },
  requestId: 'r',
}
const HOUR_MS = 3_600_000

describe('a tracking link', () => {
  test('shows anyone the state, and neither phones nor amounts, nor who it is for', async () => {
    const caller = merchantCaller()
    const { order } = await mesh
      .orders(caller)
      .createOrder(creation({}, { cod_amount_minor: 987_654, notes: 'secret door' }))
    const tracked = await mesh.orders(anyone).trackOrder({ token: order?.tracking_token ?? '' })
    expect(tracked).toEqual({
      status: 'pending',
      is_test: true,
      pickup_address: '1 Marina Road, Lagos',
      dropoff_address: '22 Broad Street, Lagos',
      scheduled_pickup_at: expect.any(String),
      delivery_window_start: expect.any(String),
      delivery_window_end: expect.any(String),
      rider: undefined,
      updated_at: order?.updated_at,
      // For what finds the position of the rider; none of it is shown.
      order_id: order?.id,
      rider_id: undefined,
      eta: undefined,
    })
    const text = JSON.stringify(tracked)
    for (const secret of ['+234', caller.merchantId, '987654', 'secret', 'Ada']) expect(text).not.toContain(secret)
  })

  test('shows the first name and vehicle of the rider from acceptance on', async () => {
    const caller = merchantCaller()
    const { order } = await mesh.orders(caller).createOrder(creation())
    await mesh.simulator(caller).simulateRiderAction({ order_id: order?.id ?? '', action: 'accept', strict: false })
    const tracked = await mesh.orders(anyone).trackOrder({ token: order?.tracking_token ?? '' })
    expect(tracked).toMatchObject({ status: 'accepted', rider: { first_name: 'Sandbox', vehicle_type: 'motorcycle' } })
  })

  test('that nobody gave is not found', async () => {
    for (const token of ['', 'AAAAAAAAAAAAAAAAAAAAAA']) {
      await expect(mesh.orders(anyone).trackOrder({ token })).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  test('expires 72 hours after the order ended, not before, and never while it runs', async () => {
    const caller = merchantCaller()
    const [ended, running] = await Promise.all(
      [1, 2].map(async () => (await mesh.orders(caller).createOrder(creation())).order),
    )
    await mesh.orders(caller).updateOrder({ id: ended?.id ?? '', status: 'delivered' })
    const track = (order: typeof ended) => mesh.orders(anyone).trackOrder({ token: order?.tracking_token ?? '' })
    try {
      await mesh.database.shiftClock(71.9 * HOUR_MS)
      expect(await track(ended)).toMatchObject({ status: 'delivered' })
      await mesh.database.shiftClock(72.1 * HOUR_MS)
      await expect(track(ended)).rejects.toMatchObject({ code: 'tracking_expired' })
      expect(await track(running)).toMatchObject({ status: 'pending' })
    } finally {
      await mesh.database.shiftClock(0)
    }
  })
})
