import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { OrderFact } from '@svc/contracts/order/v1/order'
import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { eventually, riderCaller } from '@svc/testing'
import fc from 'fast-check'
import {
  createOrder,
  fleetRider,
  insertMerchant,
  insertRateCard,
  movableClock,
  north,
  PICKUP,
  reportPosition,
} from './assignment-fixture.ts'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'

const RUNS = Number(process.env['MODEL_RUNS'] ?? 10)
const COMMANDS = 22
const POINTS = ['assignment begun', 'assignment committed', 'assignment finished'] as const
/** What commands may be told by a service that works: anything else fails the run. */
const LEGAL = new Set([
  'offer_expired',
  'offer_unavailable',
  'order_terminal',
  'rider_unavailable',
  'active_order',
  'cannot_cancel',
  'not_found',
  'killed',
])

/** What the runs came across; those that never get there prove nothing. */
const reached = { accepted: 0, died: 0 }

let dieAt: string | null = null
function failpoint(name: string): void {
  if (name !== dieAt) return
  dieAt = null
  reached.died++
  throw new Error('killed')
}

let mesh: DispatchMesh
let clock: ReturnType<typeof movableClock>
beforeAll(async () => {
  mesh = await dispatchMesh({ RIDER_MAX_ACTIVE_ORDERS: '2' }, { failpoint })
  clock = movableClock(mesh)
  await insertRateCard(mesh)
})
afterAll(() => mesh.stop())

/** Two tenants with riders and orders of their own, side by side. */
interface World {
  tenants: Array<{ merchant: Caller; riders: string[]; orders: string[] }>
}

interface Model {
  orders: [number, number]
}

type Act = (world: World) => Promise<unknown>

/** Something that somebody does, whatever state everything is in. */
class Deed implements fc.AsyncCommand<Model, World> {
  private readonly name: string
  private readonly tenant: number
  private readonly needsOrder: boolean
  private readonly act: Act

  constructor(name: string, tenant: number, act: Act, needsOrder = true) {
    this.name = name
    this.tenant = tenant
    this.needsOrder = needsOrder
    this.act = act
  }

  check(model: Readonly<Model>): boolean {
    return !this.needsOrder || model.orders[this.tenant]! > 0
  }

  async run(model: Model, world: World): Promise<void> {
    if (!this.needsOrder) model.orders[this.tenant]!++
    await this.act(world).catch((error: unknown) => {
      const code = error instanceof ServiceError ? error.code : String(error)
      // A process that died answers nothing; here its client sees an internal error.
      if (code === 'internal_error' && dieAt === null) return
      if (!LEGAL.has(code)) throw error
    })
    dieAt = null
    await expectOneWinner(world)
  }

  toString = (): string => this.name
}

const pick = <T>(items: readonly T[], index: number): T => items[index % items.length]!

/** An offer that the rider may answer, else the latest that the rider ever had. */
async function latestOffer(riderId: string): Promise<string> {
  const [offer] = await mesh.sql<{ id: string }>(
    `SELECT id FROM dispatch_offers WHERE rider_id = $1 AND kind = 'auto'
      ORDER BY state = 'pending' AND expires_at > app_now() DESC, created_at DESC LIMIT 1`,
    [riderId],
  )
  return offer?.id ?? randomUUID()
}

const untilLookedAt = (orderId: string) =>
  eventually(async () => {
    const jobs = await mesh.sql('SELECT *, app_now() AS now FROM dispatch_jobs WHERE order_id = $1', [orderId])
    expect(jobs).toMatchObject([{ search: 'searching' }])
  })

async function passTime(world: World, ms: number): Promise<void> {
  await clock.advance(ms)
  for (const { riders } of world.tenants) {
    for (const [index, riderId] of riders.entries())
      await reportPosition(mesh, riderId, north(PICKUP, 100 * (index + 1)))
  }
}

const tenant = fc.nat(1)
const n = fc.nat(5)
const accepts = fc.tuple(tenant, n, fc.option(fc.constantFrom(...POINTS), { freq: 2 })).map(
  ([t, r, death]) =>
    new Deed(`accept(${t}, ${r}${death ? `, dies at ${death}` : ''})`, t, async ({ tenants }) => {
      const riderId = pick(tenants[t]!.riders, r)
      const offer_id = await latestOffer(riderId)
      dieAt = death
      await mesh.assignments(riderCaller(riderId)).acceptDispatchOffer({ offer_id })
      reached.accepted++
    }),
)
const deeds: Array<fc.Arbitrary<Deed>> = [
  tenant.map(
    (t) =>
      new Deed(
        `order(${t})`,
        t,
        async ({ tenants }) => {
          const orderId = await createOrder(mesh, tenants[t]!.merchant)
          tenants[t]!.orders.push(orderId)
          await untilLookedAt(orderId)
        },
        false,
      ),
  ),
  accepts,
  accepts,
  tenant.map(
    (t) =>
      new Deed(`everybody accepts(${t})`, t, async ({ tenants }) => {
        const answers = tenants[t]!.riders.map(async (riderId) =>
          mesh.assignments(riderCaller(riderId)).acceptDispatchOffer({ offer_id: await latestOffer(riderId) }),
        )
        const won = (await Promise.allSettled(answers)).filter(({ status }) => status === 'fulfilled')
        reached.accepted += won.length
      }),
  ),
  fc.tuple(tenant, n).map(
    ([t, r]) =>
      new Deed(`decline(${t}, ${r})`, t, async ({ tenants }) => {
        const riderId = pick(tenants[t]!.riders, r)
        await mesh.assignments(riderCaller(riderId)).declineDispatchOffer({ offer_id: await latestOffer(riderId) })
      }),
  ),
  tenant.map((t) => new Deed(`offers expire(${t})`, t, (world) => passTime(world, 31_000))),
  fc
    .tuple(tenant, n)
    .map(
      ([t, o]) =>
        new Deed(`cancel(${t}, ${o})`, t, ({ tenants }) =>
          mesh.orders(tenants[t]!.merchant).cancelOrder({ id: pick(tenants[t]!.orders, o), reason: 'other' }),
        ),
    ),
  fc.tuple(tenant, n, fc.option(n, { freq: 3 }), fc.option(fc.constantFrom(...POINTS), { freq: 2 })).map(
    ([t, o, r, death]) =>
      new Deed(`assign(${t}, ${o}, ${r}${death ? `, dies at ${death}` : ''})`, t, ({ tenants }) => {
        const { merchant, orders, riders } = tenants[t]!
        dieAt = death
        const rider_id = r === null ? undefined : pick(riders, r)
        return mesh.assignments(merchant).assignRider({ order_id: pick(orders, o), rider_id })
      }),
  ),
  fc.tuple(tenant, n, fc.boolean()).map(
    ([t, r, is_online]) =>
      new Deed(`online(${t}, ${r}, ${is_online})`, t, ({ tenants }) => {
        const rider_id = pick(tenants[t]!.riders, r)
        return mesh.riders(riderCaller(rider_id)).setRiderOnline({ rider_id, is_online })
      }),
  ),
]

async function expectOneWinner({ tenants }: World): Promise<void> {
  for (const { merchant, riders, orders } of tenants) {
    const offers = await mesh.sql<{ order_id: string; rider_id: string; accepted: number }>(
      `SELECT order_id, rider_id, count(*) FILTER (WHERE state = 'accepted') OVER (PARTITION BY order_id) AS accepted
         FROM dispatch_offers WHERE merchant_id = $1 AND rider_id IS NOT NULL`,
      [merchant.merchantId],
    )
    for (const { accepted, rider_id, order_id } of offers) {
      expect(Number(accepted)).toBeLessThanOrEqual(1)
      expect(riders).toContain(rider_id)
      expect(orders).toContain(order_id)
    }
  }
}

/** Each announced rider took the order from the one announced before: nobody was overwritten unseen. */
async function expectUnbrokenChain(orderId: string): Promise<void> {
  const rows = await mesh.orderSql<{ payload: Buffer }>(
    `SELECT payload FROM outbox WHERE aggregate_id = $1 AND type = 'order.rider_assigned' ORDER BY aggregate_version`,
    [orderId],
  )
  let holder: string | undefined
  for (const { payload } of rows) {
    const { order, previous_rider_id } = OrderFact.decode(payload)
    expect(previous_rider_id).toBe(holder)
    expect(order!.rider?.id).not.toBe(holder)
    holder = order!.rider?.id
  }
}

/** Whoever said yes to an offer took it while nobody had the order, and nothing that a repeat lost was won later. */
async function expectNoStaleOverwrite(orderId: string): Promise<void> {
  const taken = await mesh.orderSql<{ previous: string | null }>(
    `SELECT outcome->>'previousRiderId' AS previous FROM order_ops
      WHERE order_id = $1 AND kind = 'assignment' AND outcome->>'actorType' = 'rider' AND outcome->>'lost' IS NULL`,
    [orderId],
  )
  expect(taken.filter(({ previous }) => previous !== null)).toEqual([])
}

/** Once everything is done that was begun: dispatch and the orders say the same, and nobody carries a ghost. */
async function expectAgreement({ tenants }: World): Promise<void> {
  await clock.advance(16_000)
  for (const { merchant, orders } of tenants) {
    for (const orderId of orders) {
      await eventually(async () => {
        const { order } = await mesh.orders(merchant).getOrder({ id: orderId })
        const isOver = order!.status === 'cancelled'
        const [job] = await mesh.sql<{ rider_id: string | null; active: string[]; offers: string[]; open: number }>(
          `SELECT rider_id, array(SELECT rider_id FROM rider_active WHERE order_id = $1) AS active,
                  array(SELECT rider_id FROM dispatch_offers WHERE order_id = $1 AND state = 'accepted') AS offers,
                  (SELECT count(*)::int FROM dispatch_offers WHERE order_id = $1 AND state = 'accepting') AS open
             FROM dispatch_jobs WHERE order_id = $1`,
          [orderId],
        )
        const holder = order!.rider?.id ?? null
        expect(job).toMatchObject({ rider_id: holder, open: 0, active: isOver || !holder ? [] : [holder] })
        expect(job!.offers.filter((riderId) => riderId !== holder)).toEqual([])
      })
      await expectUnbrokenChain(orderId)
      await expectNoStaleOverwrite(orderId)
    }
  }
}

async function newWorld(): Promise<World> {
  const tenants = await Promise.all(
    (['broadcast', 'batch'] as const).map(async (mode) => {
      const merchant = await insertMerchant(mesh, { mode, batchSize: 2 })
      const riders = await Promise.all([100, 200, 300].map((metres) => fleetRider(mesh, merchant, metres)))
      const orderId = await createOrder(mesh, merchant)
      await untilLookedAt(orderId)
      return { merchant, riders, orders: [orderId] }
    }),
  )
  return { tenants }
}

test('whatever riders, merchants and crashes do: one winner, no stale overwrite, no ghost order, no foreign offer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(deeds, { maxCommands: COMMANDS, size: 'max' }), async (commands) => {
      const world = await newWorld()
      await fc.asyncModelRun(() => ({ model: { orders: [1, 1] } as Model, real: world }), commands)
      await expectAgreement(world)
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  expect(Math.min(reached.accepted, reached.died)).toBeGreaterThan(0)
}, 300_000)
