import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, sharedMesh } from '@svc/testing'
import { openRateCard, operatorOf, placed } from './fleet.ts'
import { answered, type SignedUp, signUp } from './merchant.ts'

const system = sharedMesh('journeys')

let merchant: SignedUp
beforeAll(async () => {
  merchant = await signUp(system.baseUrl)
})

const order = async () => {
  const body = {
    external_order_id: randomUUID(),
    pickup_address: '12 Marina Road, Lagos',
    dropoff_address: '4 Admiralty Way, Lekki',
    customer_phone: '08012345678',
  }
  return answered(201, await merchant.owner.post('/v1/test/simulator/orders', body)).body.order_id as string
}

const ended = (orderId: string) =>
  eventually(
    async () => {
      const { body } = answered(200, await merchant.owner.get(`/v1/test/simulator/scenarios/${orderId}`))
      return body.state === 'running' ? null : body
    },
    { message: 'the scenario did not end', timeoutMs: 60_000, intervalMs: 1_000 },
  )

describe('a scenario', () => {
  test.each([
    ['accept', 'accepted'],
    ['decline', 'pending'],
    ['offer_expire', 'pending'],
    ['no_rider', 'pending'],
    ['otp_wrong', 'delivered'],
    ['cancel_after_pickup', 'cancelled'],
    ['cod_refused', 'returned_to_merchant'],
    ['lost', 'lost_in_transit'],
  ])('%s is completed and leaves its order %s', async (scenario, status) => {
    const orderId = await order()
    const asked = { order_id: orderId, scenario, step_delay_ms: 0 }
    const started = answered(201, await merchant.owner.post('/v1/test/simulator/scenarios', asked)).body
    expect(started).toMatchObject({ ok: true, order_id: orderId, is_test: true, scenario, idempotent: false })
    expect(await ended(orderId)).toMatchObject({ state: 'completed' })
    const { body } = answered(200, await merchant.test.get(`/v1/orders/${orderId}`))
    expect(body.order.unified_json.status).toBe(status)
  })

  test('gps_route is reported all the way, is completed and leaves its order delivered', async () => {
    await openRateCard(await operatorOf(system), merchant.merchantId)
    const created = answered(201, await merchant.test.post('/v1/orders', placed()))
    const orderId = created.body.order.id as string
    const asked = { order_id: orderId, scenario: 'gps_route', step_delay_ms: 0 }
    answered(201, await merchant.owner.post('/v1/test/simulator/scenarios', asked))
    const { state, steps } = await ended(orderId)
    expect([state, steps.map(({ step }: { step: string }) => step)]).toEqual([
      'completed',
      [
        'offered',
        'accepted',
        'at_pickup',
        'picked_up',
        'a_quarter_of_the_way',
        'half_of_the_way',
        'three_quarters_of_the_way',
        'at_dropoff',
        'delivered',
      ],
    ])
    const { body } = answered(200, await merchant.test.get(`/v1/orders/${orderId}`))
    expect(body.order.unified_json.status).toBe('delivered')
  })

  test('of which nothing is known, or that no order can play, is refused with the field', async () => {
    const orderId = await order()
    for (const [body, field] of [
      [{ order_id: orderId, scenario: 'fly' }, 'scenario'],
      [{ order_id: 'x', scenario: 'lost' }, 'order_id'],
      [{ order_id: orderId, scenario: 'lost', step_delay_ms: 600_001 }, 'step_delay_ms'],
      [{ order_id: orderId, scenario: 'gps_route' }, 'order_id'],
    ] as const) {
      const refused = answered(400, await merchant.owner.post('/v1/test/simulator/scenarios', body)).body
      expect([refused.error, refused.details.field]).toEqual(['validation_error', field])
    }
  })
})
