import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Scenario } from '@svc/contracts/order/v1/simulator_service'
import { SANDBOX_RIDER } from '@svc/credentials'
import { type Caller, systemCaller } from '@svc/grpc'
import { eventually, merchantCaller, onceAvailable } from '@svc/testing'
import {
  createOrder,
  DROPOFF,
  factsOf,
  insertMerchant,
  insertRateCard,
  offersOf,
  PICKUP,
} from './assignment-fixture.ts'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'

let mesh: DispatchMesh
beforeAll(async () => {
  mesh = await dispatchMesh()
  await insertRateCard(mesh)
})
afterAll(() => mesh?.stop())

/** The test side of a merchant without automatic dispatch. */
const sandbox = async (settings = {}): Promise<Caller> => {
  const { merchantId } = await insertMerchant(mesh, { autoDispatch: false, ...settings })
  return merchantCaller({ merchantId: merchantId as string })
}

/** An order as the simulator makes it: nobody has said where it is. */
async function unplaced(merchant: Caller): Promise<string> {
  const standardized_json = JSON.stringify({
    pickup_address: '1 Marina Road',
    dropoff_address: '2 Broad Street',
    customer_phone: '08031234567',
  })
  const { order } = await mesh.simulator(merchant).createSimulatorOrder({
    order: { external_order_id: randomUUID(), standardized_json },
    emit_webhooks: true,
  })
  return order!.id
}

const start = (merchant: Caller, order_id: string, scenario: string, step_delay_ms = 0) =>
  mesh.simulator(merchant).startScenario({ order_id, scenario, step_delay_ms })

const ended = (merchant: Caller, order_id: string): Promise<Scenario> =>
  eventually(
    async () => {
      const { scenario } = await mesh.simulator(merchant).getScenario({ order_id })
      return scenario?.state === 'running' ? null : (scenario ?? null)
    },
    { message: 'the scenario did not end', timeoutMs: 60_000 },
  )

const shown = ({ state, steps }: Scenario) => [
  state,
  ...steps.map(({ step, state: of, error }) => (error ? `${step} ${of} ${error}` : `${step} ${of}`)),
]

const statusOf = async (merchant: Caller, id: string) => (await mesh.orders(merchant).getOrder({ id })).order?.status

/** Facts that come of the offers and of what the rider does; estimates and progress may stand between. */
const STATUS_FACTS = /^order\.(rider_assigned|accepted|picked_up|delivered|status_updated)$/
const toldOf = async (id: string) => (await factsOf(mesh, id)).filter((type) => STATUS_FACTS.test(type))

const ACCEPTED = ['order.rider_assigned', 'order.accepted']
const CARRIED = [...ACCEPTED, 'order.picked_up', 'order.status_updated']
const UP_TO_PICKUP = ['offered done', 'accepted done', 'picked_up done']

describe('a scenario', () => {
  test.each([
    ['accept', 'accepted', ['offered done', 'accepted done'], ACCEPTED],
    ['decline', 'pending', ['offered done', 'declined done'], []],
    ['offer_expire', 'pending', ['offered done', 'expired done'], []],
    [
      'otp_wrong',
      'delivered',
      [...UP_TO_PICKUP, 'code_refused done invalid_otp', 'delivered done'],
      [...CARRIED, 'order.delivered', 'order.status_updated'],
    ],
    ['cancel_after_pickup', 'cancelled', [...UP_TO_PICKUP, 'cancelled done'], [...CARRIED, 'order.status_updated']],
    [
      'cod_refused',
      'returned_to_merchant',
      [...UP_TO_PICKUP, 'returned_to_merchant done'],
      [...CARRIED, 'order.status_updated'],
    ],
    ['lost', 'lost_in_transit', [...UP_TO_PICKUP, 'lost_in_transit done'], [...CARRIED, 'order.status_updated']],
  ] as const)(
    '%s brings an order without coordinates to %s, and its steps played again change nothing',
    async (scenario, status, steps, facts) => {
      const merchant = await sandbox()
      const orderId = await unplaced(merchant)
      const { scenario: begun, idempotent } = await start(merchant, orderId, scenario)
      expect([begun?.state, idempotent]).toEqual(['running', false])
      expect(shown(await ended(merchant, orderId))).toEqual(['completed', ...steps])
      expect(await statusOf(merchant, orderId)).toBe(status)
      const told = await toldOf(orderId)
      expect(told).toEqual(facts)

      // As after a process that died between each step and its mark.
      await mesh.orderSql(
        `UPDATE sim_timer SET state = 'pending', lease = NULL, lease_until = NULL, ended_at = NULL WHERE order_id = $1`,
        [orderId],
      )
      const again = await ended(merchant, orderId)
      expect(again.steps.filter(({ state }) => state !== 'done')).toEqual([])
      expect([await statusOf(merchant, orderId), await toldOf(orderId)]).toEqual([status, told])
    },
  )

  test('decline and offer_expire leave their offers declined and expired, to the sandbox rider alone', async () => {
    const merchant = await sandbox()
    for (const [scenario, state] of [
      ['decline', 'declined'],
      ['offer_expire', 'expired'],
    ] as const) {
      const orderId = await unplaced(merchant)
      await start(merchant, orderId, scenario)
      await ended(merchant, orderId)
      expect(await offersOf(mesh, orderId)).toEqual([{ rider_id: SANDBOX_RIDER.id, state, kind: 'auto' }])
    }
  })

  test('no_rider tells that the search is delayed and then exhausted, offers nothing, and leaves the order pending', async () => {
    const merchant = await sandbox()
    const orderId = await unplaced(merchant)
    await start(merchant, orderId, 'no_rider')
    expect(shown(await ended(merchant, orderId))).toEqual([
      'completed',
      'searching done',
      'delayed done',
      'exhausted done',
    ])
    expect(await factsOf(mesh, orderId)).toEqual(['order.created', 'dispatch.delayed', 'dispatch.exhausted'])
    expect([await statusOf(merchant, orderId), await offersOf(mesh, orderId)]).toEqual(['pending', []])
  })

  test('gps_route reports the way, so that the order is seen to arrive, to depart and to be handed over', async () => {
    const merchant = await sandbox()
    const orderId = await createOrder(mesh, merchant, {
      pickup_lat: PICKUP.lat,
      pickup_lng: PICKUP.lng,
      dropoff_lat: DROPOFF.lat,
      dropoff_lng: DROPOFF.lng,
    })
    await start(merchant, orderId, 'gps_route')
    const { state, steps } = await ended(merchant, orderId)
    expect([state, steps.filter((step) => step.state !== 'done')]).toEqual(['completed', []])
    expect(await statusOf(merchant, orderId)).toBe('delivered')
    const told = await factsOf(mesh, orderId)
    expect(told.filter((type) => type !== 'order.eta_changed')).toEqual([
      'order.created',
      'order.rider_assigned',
      'order.accepted',
      'order.rider_arrived_pickup',
      'order.picked_up',
      'order.status_updated',
      // In transit.
      'order.status_updated',
      'order.rider_arrived_dropoff',
      'order.delivered',
      'order.status_updated',
    ])
  })

  test('cod_refused brings the goods of an order with cash on delivery back unpaid', async () => {
    const merchant = await sandbox()
    const orderId = await onceAvailable(() => createOrder(mesh, merchant, { cod_amount_minor: 250_000 }))
    await start(merchant, orderId, 'cod_refused')
    expect((await ended(merchant, orderId)).state).toBe('completed')
    const { order } = await mesh.orders(merchant).getOrder({ id: orderId })
    expect(JSON.parse(order!.unified_json)).toMatchObject({
      status: 'returned_to_merchant',
      cod: { status: 'refused', expected_minor: 250_000, collected_minor: 0 },
    })
  })

  test('begins though automatic dispatch has already asked the sandbox rider', async () => {
    const merchant = await sandbox({ autoDispatch: true })
    const orderId = await createOrder(mesh, merchant)
    await eventually(async () => expect(await offersOf(mesh, orderId)).toHaveLength(1))
    await start(merchant, orderId, 'accept')
    expect(shown(await ended(merchant, orderId))).toEqual(['completed', 'offered done', 'accepted done'])
  })

  test('that cannot go on is stopped at what refused it, and the rest is skipped', async () => {
    const merchant = await sandbox()
    const orderId = await unplaced(merchant)
    await start(merchant, orderId, 'lost', 600_000)
    // The merchant is faster than the rider.
    await mesh.orders(merchant).updateOrder({ id: orderId, status: 'delivered' })
    expect(shown(await ended(merchant, orderId))).toEqual([
      'stopped',
      'offered skipped',
      'accepted skipped',
      'picked_up skipped',
      'lost_in_transit skipped',
    ])
  })

  test('is one of an order: the same again answers how far it is, another one is refused', async () => {
    const merchant = await sandbox()
    const orderId = await unplaced(merchant)
    const first = await start(merchant, orderId, 'lost', 600_000)
    const again = await start(merchant, orderId, 'lost', 0)
    expect([again.idempotent, again.scenario]).toEqual([true, first.scenario])
    await expect(start(merchant, orderId, 'accept')).rejects.toMatchObject({
      code: 'invalid_state',
      details: { reason: 'scenario_started', scenario: 'lost' },
    })
  })

  test('is refused for live credentials and orders, for strangers, and where the order does not wait for a rider', async () => {
    const merchant = await sandbox()
    const live = { ...merchant, isTest: false }
    const liveOrder = await createOrder(mesh, live)
    const orderId = await unplaced(merchant)
    await expect(start(live, orderId, 'lost')).rejects.toMatchObject({ code: 'test_mode_required' })
    await expect(start(merchant, liveOrder, 'lost')).rejects.toMatchObject({ code: 'test_mode_required' })
    await expect(start(await sandbox(), orderId, 'lost')).rejects.toMatchObject({ code: 'not_found' })
    await expect(mesh.simulator(merchant).getScenario({ order_id: orderId })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(start(merchant, orderId, 'gps_route')).rejects.toMatchObject({
      code: 'validation_error',
      details: { field: 'order_id' },
    })
    await mesh.orders(merchant).updateOrder({ id: orderId, status: 'picked_up' })
    await expect(start(merchant, orderId, 'lost')).rejects.toMatchObject({
      code: 'invalid_state',
      details: { reason: 'not_waiting_for_a_rider', status: 'picked_up' },
    })
  })

  test('plays with test orders of the merchant that it is told, and with no others', async () => {
    const merchant = await sandbox()
    const liveOrder = await createOrder(mesh, { ...merchant, isTest: false })
    const orderId = await unplaced(merchant)
    const play = (order_id: string, merchant_id: string) =>
      mesh.rehearsals(systemCaller('order')).playSandboxRider({ order_id, merchant_id, act: 'offer', stay_seconds: 0 })
    await expect(play(liveOrder, merchant.merchantId as string)).rejects.toMatchObject({ code: 'not_found' })
    await expect(play(orderId, randomUUID())).rejects.toMatchObject({ code: 'not_found' })
    expect([...(await offersOf(mesh, liveOrder)), ...(await offersOf(mesh, orderId))]).toEqual([])
  })
})
