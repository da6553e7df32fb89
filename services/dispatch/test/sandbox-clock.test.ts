import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { eventually, merchantCaller } from '@svc/testing'
import { keepAdvance } from '../src/db/sandbox-clock.ts'
import {
  createOrder,
  factsOf,
  fleetRider,
  inMinutes,
  insertMerchant,
  insertRateCard,
  offersOf,
} from './assignment-fixture.ts'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'

let mesh: DispatchMesh
beforeAll(async () => {
  mesh = await dispatchMesh({ OFFER_TTL_SECONDS: '300' })
  await insertRateCard(mesh)
})
afterAll(() => mesh?.stop())

type Merchant = Caller & { merchantId: string }

/** The sandbox of a merchant with automatic dispatch. */
const sandbox = async (): Promise<Merchant> => {
  const { merchantId } = await insertMerchant(mesh)
  return merchantCaller({ merchantId: merchantId as string }) as Merchant
}
const advance = (merchant: Caller, seconds: number) => mesh.simulator(merchant).advanceClock({ seconds })
const offered = (orderId: string, state: string) =>
  eventually(async () => expect((await offersOf(mesh, orderId)).map((offer) => offer.state)).toEqual([state]))

const DAY_S = 86_400
const tomorrow = () => ({
  scheduled_pickup_at: inMinutes(1_440 + 30),
  delivery_window_start: inMinutes(1_440 + 30),
  delivery_window_end: inMinutes(1_440 + 180),
})

describe('time that passes in a sandbox', () => {
  test('ends its offers, and neither live ones of the same merchant nor those of other sandboxes', async () => {
    const merchant = await sandbox()
    const live = { ...merchant, isTest: false }
    await fleetRider(mesh, live, 100)
    const other = await sandbox()
    const [test, liveOrder, foreign] = [
      await createOrder(mesh, merchant),
      await createOrder(mesh, live),
      await createOrder(mesh, other),
    ]
    for (const orderId of [test, liveOrder, foreign]) await offered(orderId, 'pending')
    const kept = () =>
      mesh.sql(
        `SELECT j.next_at, j.search_started_at, j.scheduled_pickup_at, j.advanced_seconds, o.expires_at
           FROM dispatch_jobs j JOIN dispatch_offers o USING (order_id) WHERE order_id = ANY($1) ORDER BY order_id`,
        [[liveOrder, foreign]],
      )
    const before = await kept()
    await advance(merchant, 300)
    await offered(test, 'expired')
    expect(await kept()).toEqual(before)
  })

  test('lets what is live go first, however many orders of sandboxes have been due longer', async () => {
    const merchant = await sandbox()
    const live = { ...merchant, isTest: false }
    await fleetRider(mesh, live, 100)
    const liveOrder = await createOrder(mesh, live)
    // More than both transactions that work on live orders would get through while these are held.
    const rehearsed = await Promise.all(Array.from({ length: 81 }, () => createOrder(mesh, merchant)))
    for (const orderId of [liveOrder, ...rehearsed]) await offered(orderId, 'pending')
    const all = [liveOrder, ...rehearsed]
    await mesh.sql('UPDATE dispatch_jobs SET next_at = NULL WHERE order_id = ANY($1)', [all])
    await mesh.sql(`UPDATE dispatch_offers SET expires_at = app_now() - interval '1 hour' WHERE order_id = ANY($1)`, [
      all,
    ])
    await mesh.service.context.transact('every tenant', async ({ sql }) => {
      // Whoever is at one of these waits.
      await sql('SELECT FROM dispatch_offers WHERE order_id = ANY($1) FOR UPDATE', [rehearsed])
      await mesh.sql(
        `UPDATE dispatch_jobs SET next_at = app_now() - CASE WHEN is_test THEN interval '1 day' ELSE '0' END
          WHERE order_id = ANY($1)`,
        [all],
      )
      await offered(liveOrder, 'expired')
    })
    for (const orderId of rehearsed) await offered(orderId, 'expired')
  })

  test('begins the search for an order of tomorrow, and lets it be delayed and exhausted', async () => {
    const merchant = await sandbox()
    const orderId = await createOrder(mesh, merchant, tomorrow())
    await advance(merchant, DAY_S)
    await offered(orderId, 'pending')
    await advance(merchant, 1_200)
    await eventually(async () =>
      expect((await factsOf(mesh, orderId)).toSorted()).toEqual([
        'dispatch.delayed',
        'dispatch.exhausted',
        'order.created',
      ]),
    )
  })

  test('is not lost for an order that was made before it and heard of later, nor when more is heard of the order', async () => {
    const merchant = await sandbox()
    const { merchantId } = merchant
    // As where the fact of the clock overtakes that of the order.
    const ahead = { merchantId, version: 1, at: new Date(Date.now() + 600_000), seconds: DAY_S }
    await mesh.service.context.transact('every tenant', (tx) => keepAdvance(tx, ahead))
    const orderId = await createOrder(mesh, merchant, tomorrow())
    await offered(orderId, 'pending')
    const advanced = async () =>
      (
        await mesh.sql<{ seconds: number; ahead: number }>(
          `SELECT advanced_seconds::float8 AS seconds,
                  extract(epoch FROM scheduled_pickup_at - order_created_at)::float8 AS ahead
             FROM dispatch_jobs WHERE order_id = $1`,
          [orderId],
        )
      )[0]
    expect((await advanced())?.seconds).toBe(DAY_S)
    await mesh.orders(merchant).updateOrder({ id: orderId, status: 'at_the_gate' })
    await eventually(async () => {
      const [job] = await mesh.sql<{ status: string }>('SELECT status FROM dispatch_jobs WHERE order_id = $1', [
        orderId,
      ])
      expect(job?.status).toBe('at_the_gate')
    })
    const after = await advanced()
    expect(after?.seconds).toBe(DAY_S)
    expect(after?.ahead).toBeLessThan(3_600)
  })

  test('passes once for each order, and while it is being carried out no new order waits for it', async () => {
    const merchant = await sandbox()
    const [held, free] = [await createOrder(mesh, merchant), await createOrder(mesh, merchant)]
    for (const orderId of [held, free]) await offered(orderId, 'pending')
    const advanced = async () =>
      (
        await mesh.sql<{ seconds: number }>(
          `SELECT advanced_seconds::float8 AS seconds FROM dispatch_jobs
            WHERE order_id = ANY($1) ORDER BY order_id = $2`,
          [[held, free], free],
        )
      ).map(({ seconds }) => seconds)
    await mesh.service.context.transact('every tenant', async ({ sql }) => {
      await sql('SELECT FROM dispatch_jobs WHERE order_id = $1 FOR UPDATE', [held])
      await advance(merchant, 10)
      await eventually(async () => expect(await advanced()).toEqual([0, 10]))
      await offered(await createOrder(mesh, { ...merchant }), 'pending')
    })
    await eventually(async () => expect(await advanced()).toEqual([10, 10]))
    await advance(merchant, 5)
    await eventually(async () => expect(await advanced()).toEqual([15, 15]))
  })
})
