import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { freePort } from '@svc/servers'
import { adminCaller, eventually, riderCaller } from '@svc/testing'
import { startWallet, type TestWallet } from '../../wallet/test/start-wallet.ts'
import {
  createOrder,
  fleetRider,
  insertMerchant,
  insertRateCard,
  offerTo,
  reportPosition,
} from './assignment-fixture.ts'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'
import { insertRider } from './riders-fixture.ts'

let wallet: TestWallet
/** Its wallet cannot be reached until `reaching` runs beside it. */
let mesh: DispatchMesh
let reaching: Awaited<ReturnType<DispatchMesh['start']>> | undefined
beforeAll(async () => {
  wallet = await startWallet()
  mesh = await dispatchMesh({ OFFER_TTL_SECONDS: '300' }, {}, { address: `127.0.0.1:${await freePort()}` })
  await insertRateCard(mesh)
})
afterAll(async () => {
  await reaching?.stop()
  await mesh?.stop()
  await wallet?.stop()
})

/** An order on offer to a rider of the merchant's fleet. */
async function offered(standardized: Record<string, unknown> = {}) {
  const merchant = await insertMerchant(mesh)
  const rider = await fleetRider(mesh, merchant, 100, { vehicleType: 'car' })
  const orderId = await createOrder(mesh, merchant, standardized)
  return { merchant, rider, orderId, offer: await offerTo(mesh, rider) }
}

const payRule = (merchantId: string, amount_minor: number) =>
  wallet.commission.as(adminCaller()).replaceCommissionSettings({
    merchant_id: merchantId,
    settings: { rules: [{ amount_minor, vehicle_type: 'car', source: 'api' }] },
  })

test('offers never wait for what they pay, nor for one that the wallet refuses; once it is known they say it, and it stays', async () => {
  const plain = await offered()
  const own = await offered({ delivery_commission_minor: 12_345 })
  const ruled = await offered({ vehicle_type_hint: 'car' })
  const refused = await offered()
  const below = 'UPDATE dispatch_jobs SET delivery_commission_minor = -1 WHERE order_id = $1'
  await mesh.sql(below, [refused.orderId])
  const all = [plain, own, ruled]
  await wallet.announceMerchant(ruled.merchant.merchantId!)
  await eventually(() => payRule(ruled.merchant.merchantId!, 7_000))
  expect(all.map(({ offer }) => offer.payout_minor)).toEqual([undefined, undefined, undefined])

  reaching = await mesh.start({
    GRPC_PORT: String(await freePort()),
    INSTANCE: 'reaching',
    WALLET_GRPC_ADDRESS: wallet.service.address(),
  })
  const payouts = () => Promise.all(all.map(async ({ rider }) => (await offerTo(mesh, rider)).payout_minor))
  await eventually(async () => expect(await payouts()).toEqual([5_000, 12_345, 7_000]))
  await eventually(() => payRule(ruled.merchant.merchantId!, 9_000))
  await eventually(async () => expect(await payouts()).toEqual([5_000, 12_345, 7_000]))
  const { offer } = await eventually(() =>
    mesh.assignments(riderCaller(ruled.rider)).acceptDispatchOffer({ offer_id: ruled.offer.id }),
  )
  expect(offer).toMatchObject({ payout_minor: 7_000, currency: 'NGN' })
  const { rounds } = await mesh.assignments(own.merchant).getDispatchTrace({ order_id: own.orderId })
  expect(rounds[0]!.offers).toMatchObject([{ payout_minor: 12_345 }])
})

test('however many older orders the wallet refuses, it is asked what the riders of the others earn', async () => {
  const merchant = await insertMerchant(mesh)
  const rider = await fleetRider(mesh, merchant, 100, { vehicleType: 'car' })
  // More than are asked about at once, each a question of its own; nobody looks for their riders.
  await mesh.sql(
    `INSERT INTO dispatch_jobs (order_id, merchant_id, is_test, order_version, status, assignment_version, pickup_address,
       dropoff_address, scheduled_pickup_at, delivery_window_end, order_created_at, search, round, delivery_commission_minor)
     SELECT gen_random_uuid(), $1, false, 1, 'pending', 0, 'A', 'B', app_now(), app_now(),
            app_now() - make_interval(mins => nth), 'searching', 1, -nth
       FROM generate_series(1, 120) AS nth`,
    [merchant.merchantId],
  )
  await createOrder(mesh, merchant, { delivery_commission_minor: 4_321 })
  await eventually(async () => expect((await offerTo(mesh, rider)).payout_minor).toBe(4_321))
})

test('the wallet is asked what a rider would earn once there is one who is offered the order, not before', async () => {
  const merchant = await insertMerchant(mesh)
  const place = { lat: -31.5, lng: -21.5 }
  const orderId = await createOrder(mesh, merchant, { pickup_lat: place.lat, pickup_lng: place.lng })
  const payout = async () =>
    (
      await mesh.sql<{ payout_minor: number | null; search: string }>(
        'SELECT payout_minor, search FROM dispatch_jobs WHERE order_id = $1 AND next_at > app_now()',
        [orderId],
      )
    )[0]
  await eventually(async () => expect(await payout()).toMatchObject({ search: 'searching' }))
  // Whatever was offered after it is asked about meanwhile, and it is older.
  const other = await offered()
  await eventually(async () => expect((await offerTo(mesh, other.rider)).payout_minor).toBe(5_000))
  expect(await payout()).toMatchObject({ payout_minor: null })

  const rider = await insertRider(mesh, { vehicleType: 'car' })
  await reportPosition(mesh, rider, place)
  await mesh.sql('UPDATE dispatch_jobs SET next_at = app_now() WHERE order_id = $1', [orderId])
  await eventually(async () => expect((await offerTo(mesh, rider)).payout_minor).toBe(5_000))
})
