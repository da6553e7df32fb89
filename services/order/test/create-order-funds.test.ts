import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { adminCaller, eventually, freePort, merchantCaller, TEST_SECRET } from '@svc/testing'
import { type DispatchMesh, dispatchMesh } from '../../dispatch/test/dispatch-mesh.ts'
import { signUp } from '../../dispatch/test/sign-up.ts'
import { merchantOwner, startWallet, type TestWallet } from '../../wallet/test/start-wallet.ts'
import { creation, keyed, orderMesh, standardized } from './order-mesh.ts'

const FLOOR = 50_000
const FEE = 70_000
const priced = { pickup_lat: 6.45, pickup_lng: 3.4, dropoff_lat: 6.45, dropoff_lng: 3.4 }

let wallet: TestWallet
let mesh: DispatchMesh
beforeAll(async () => {
  wallet = await startWallet()
  mesh = await dispatchMesh({
    WALLET_GRPC_ADDRESS: wallet.service.address(),
    CALLER_SECRET_ORDER_WALLET: TEST_SECRET,
    CALLER_SECRET_DISPATCH_WALLET: TEST_SECRET,
  })
  await mesh
    .pricing(adminCaller())
    .createRateCard({ rate_card: { name: 'Platform', currency: 'NGN', base_minor: FEE, per_km_minor: 10_000 } })
})
afterAll(async () => {
  await mesh?.stop()
  await wallet?.stop()
})

/** A merchant with that much live money. */
async function merchantWith(amountMinor: number): Promise<Caller> {
  const { id, caller } = await signUp(mesh)
  if (amountMinor > 0) await wallet.fund(merchantOwner(id), amountMinor)
  return { ...caller, isTest: false }
}
const stored = ({ merchantId }: Caller) => mesh.orderSql('SELECT 1 FROM orders WHERE merchant_id = $1', [merchantId])
const shortage = (required_minor: number, balance_minor: number) => ({
  code: 'insufficient_wallet_for_freelancer_order',
  details: { required_minor, balance_minor },
})

describe('an order whose fee is known', () => {
  test('is accepted with exactly the fee, and refused with less, storing nothing', async () => {
    const [poor, able] = [await merchantWith(FEE - 1), await merchantWith(FEE)]
    await expect(mesh.orders(poor).createOrder(creation({}, priced))).rejects.toMatchObject(shortage(FEE, FEE - 1))
    expect(await stored(poor)).toEqual([])
    const { order } = await mesh.orders(able).createOrder(creation({}, priced))
    expect(order).toMatchObject({ fee_minor: FEE })
  })

  test('may cost less than the floor of orders without a price', async () => {
    const merchant = await merchantWith(100)
    await mesh.pricing(adminCaller()).createRateCard({
      rate_card: { merchant_id: merchant.merchantId, name: 'Cheap', currency: 'NGN', base_minor: 100 },
    })
    expect((await mesh.orders(merchant).createOrder(creation({}, priced))).order?.fee_minor).toBe(100)
  })

  test('of test credentials is checked against the sandbox wallet, never the live one', async () => {
    const merchant = { ...(await merchantWith(0)), isTest: true }
    await mesh.orders(merchant).createOrder(creation({}, priced))
    await wallet.wallet.as(merchant).setTestWallet({ balance_minor: 3 })
    await expect(mesh.orders(merchant).createOrder(creation({}, priced))).rejects.toMatchObject(shortage(FEE, 3))
  })

  test('stored before is answered again, by key and by name, from a wallet that is empty now', async () => {
    const merchant = { ...(await merchantWith(0)), isTest: true }
    const request = creation({}, priced)
    const { order } = await mesh.orders(merchant).createOrder(keyed('first', request))
    await wallet.wallet.as(merchant).setTestWallet({ balance_minor: 0 })
    const replayed = await mesh.orders(merchant).createOrder(keyed('first', request))
    expect(replayed).toMatchObject({ order: { id: order?.id }, replayed: true })
    const again = await mesh.orders(merchant).createOrder(request)
    expect(again).toMatchObject({ order: { id: order?.id }, idempotent: true })
  })

  test('that the own fleet delivers needs no money', async () => {
    const merchant = await merchantWith(0)
    const ownFleet = `UPDATE merchants SET fulfillment_mode = 'internal_fleet' WHERE id = $1 RETURNING id`
    await eventually(async () => (await mesh.sql(ownFleet, [merchant.merchantId])).length === 1)
    expect((await mesh.orders(merchant).createOrder(creation({}, priced))).order?.fee_minor).toBeDefined()
  })
})

describe('an order without a fee', () => {
  test('needs the floor of live merchants, and nothing of test credentials', async () => {
    const [poor, able] = [await merchantWith(FLOOR - 1), await merchantWith(FLOOR)]
    await expect(mesh.orders(poor).createOrder(creation())).rejects.toMatchObject(shortage(FLOOR, FLOOR - 1))
    expect(await stored(poor)).toEqual([])
    await mesh.orders(able).createOrder(creation())
    await wallet.wallet.as({ ...poor, isTest: true }).setTestWallet({ balance_minor: 0 })
    await mesh.orders({ ...poor, isTest: true }).createOrder(creation())
  })

  test('of many merchants at once is judged by the money of its own merchant', async () => {
    const merchants = await Promise.all([0, FLOOR, FLOOR - 1, FLOOR + 7, 5, FLOOR * 2].map(merchantWith))
    const asked = Array.from({ length: 5 }, () => merchants).flat()
    const answers = await Promise.allSettled(asked.map((merchant) => mesh.orders(merchant).createOrder(creation())))
    const seen = answers.map((answer) => (answer.status === 'fulfilled' ? 'created' : answer.reason.details))
    const short = (balance_minor: number) => ({ required_minor: FLOOR, balance_minor })
    const each = [short(0), 'created', short(FLOOR - 1), 'created', short(5), 'created']
    expect(seen).toEqual(Array.from({ length: 5 }, () => each).flat())
  })

  test('is refused while the wallet does not answer, storing nothing, whoever may be rich', async () => {
    const away = await orderMesh({
      WALLET_GRPC_ADDRESS: `127.0.0.1:${await freePort()}`,
      CALLER_SECRET_ORDER_WALLET: TEST_SECRET,
    })
    try {
      const live = merchantCaller({ isTest: false })
      await expect(away.orders(live).createOrder(creation())).rejects.toMatchObject({ code: 'service_unavailable' })
      expect(await away.rows('SELECT 1 FROM orders')).toEqual([])
      expect((await away.orders(merchantCaller()).createOrder(creation())).order?.status).toBe('pending')
      const order = { external_order_id: 'simulated', standardized_json: JSON.stringify(standardized()) }
      const simulated = away.simulator(merchantCaller()).createSimulatorOrder({ order, emit_webhooks: true })
      expect((await simulated).order?.status).toBe('pending')
    } finally {
      await away.stop()
    }
  })
})
