import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import type { Caller } from '@svc/grpc'
import { eventually } from '@svc/testing'
import pg from 'pg'
import { createOrder, insertMerchant, insertRateCard, north, offersOf, reportPosition } from './assignment-fixture.ts'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'
import { insertRider } from './riders-fixture.ts'

/** Of transactions that work on orders at the same time. */
const LANES = 2

let mesh: DispatchMesh
beforeAll(async () => {
  // So long that what is looked at once is not looked at again.
  mesh = await dispatchMesh({ OFFER_TTL_SECONDS: '300', OFFER_LOCATION_MAX_AGE_SECONDS: '3600' })
  await insertRateCard(mesh)
})
afterAll(() => mesh.stop())

type Settings = NonNullable<Parameters<typeof insertMerchant>[1]>
const byHand = (settings: Settings = {}) => insertMerchant(mesh, { ...settings, autoDispatch: false })
const at = ({ lat, lng }: { lat: number; lng: number }) => ({ pickup_lat: lat, pickup_lng: lng })

/** An order that dispatch knows and nobody looks for a rider for, as long as its merchant dispatches by hand. */
async function knownOrder(merchant: Caller, place: { lat: number; lng: number }): Promise<string> {
  const orderId = await createOrder(mesh, merchant, at(place))
  await eventually(async () => {
    const found = await mesh.sql('SELECT 1 FROM dispatch_jobs WHERE order_id = $1 AND next_at IS NULL', [orderId])
    return found.length === 1
  })
  return orderId
}

/** The orders are due from one commit on, of merchants that have dispatch find their riders. */
async function makeDue(merchants: readonly Caller[], orderIds: readonly string[]): Promise<void> {
  await mesh.sql('UPDATE merchants SET auto_dispatch_enabled = true WHERE id = ANY($1)', [
    merchants.map(({ merchantId }) => merchantId),
  ])
  // Also for a transaction that has taken the time before this commit and looks after it.
  await mesh.sql(`UPDATE dispatch_jobs SET next_at = app_now() - interval '1 minute' WHERE order_id = ANY($1)`, [
    orderIds,
  ])
}

const searchesOf = (orderIds: readonly string[]) =>
  mesh.sql<{ order_id: string; search: string; has_next: boolean; rounds: number; begun: Date }>(
    `SELECT j.order_id, j.search, j.next_at > app_now() AS has_next,
            (SELECT count(*)::int FROM dispatch_rounds r WHERE r.order_id = j.order_id) AS rounds,
            (SELECT min(started_at) FROM dispatch_rounds r WHERE r.order_id = j.order_id) AS begun
       FROM dispatch_jobs j WHERE order_id = ANY($1) ORDER BY order_id`,
    [orderIds],
  )

/** What dispatch has yet to hear of when these orders are there comes at once. */
async function takenOverTogether(create: () => Promise<string[]>): Promise<string[]> {
  return asOwner(async (owner) => {
    await owner.query('BEGIN; LOCK TABLE inbox IN EXCLUSIVE MODE')
    const orderIds = await create()
    await eventually(async () => {
      const waiting = 'SELECT FROM outbox WHERE aggregate_id = ANY($1) AND published_at IS NULL'
      expect(await mesh.orderSql(waiting, [orderIds])).toEqual([])
    })
    await owner.query('COMMIT')
    return orderIds
  })
}

async function asOwner<T>(work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: mesh.database.ownerUrl })
  await owner.connect()
  try {
    return await work(owner)
  } finally {
    await owner.end()
  }
}

/** No round for which this holds can be recorded meanwhile. */
const refusingRounds = (condition: string, work: () => Promise<void>): Promise<void> =>
  asOwner(async (owner) => {
    await owner.query(`
      CREATE FUNCTION refuse_round() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF ${condition} THEN RAISE EXCEPTION 'no such round'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER refuse_round BEFORE INSERT ON dispatch_rounds FOR EACH ROW EXECUTE FUNCTION refuse_round();`)
    try {
      await work()
    } finally {
      await owner.query('DROP TRIGGER refuse_round ON dispatch_rounds; DROP FUNCTION refuse_round')
    }
  })

test('orders that are due together share the transactions of their searches', async () => {
  const merchants = await Promise.all(Array.from({ length: 3 }, () => byHand()))
  const nowhere = { lat: -20.5, lng: -10.5 }
  const orderIds = await Promise.all(
    Array.from({ length: 15 }, (_, nth) => knownOrder(merchants[nth % 3] as Caller, nowhere)),
  )
  await makeDue(merchants, orderIds)
  const searches = await eventually(async () => {
    const all = await searchesOf(orderIds)
    return all.every(({ search, has_next }) => search === 'searching' && has_next) && all
  })
  expect(searches.map(({ rounds }) => rounds)).toEqual(orderIds.map(() => 3))
  const transactions = new Set(searches.map(({ begun }) => begun.getTime()))
  expect(transactions.size).toBeLessThanOrEqual(LANES)
})

test('each of the orders that are due together is put to its own riders', async () => {
  const place = { lat: -21.5, lng: -11.5 }
  const elsewhere = { lat: -22.5, lng: -12.5 }
  const [fleetOnly, mixed, sendsToAll, closed] = await Promise.all([
    byHand({ fleetOnly: true }),
    byHand(),
    byHand({ mode: 'broadcast' }),
    byHand(),
  ])
  const riderAt = async (metres: number, where: typeof place, merchant?: Caller) => {
    const id = await insertRider(mesh, merchant ? { merchantId: merchant.merchantId! } : {})
    await reportPosition(mesh, id, north(where, metres))
    return id
  }
  const freelancer = await riderAt(100, place)
  const ofFleet = await riderAt(2_000, place, fleetOnly)
  const ofMixed = await riderAt(2_500, place, mixed)
  const there = await Promise.all([riderAt(300, elsewhere), riderAt(400, elsewhere)])
  await mesh.sql(
    `INSERT INTO dispatch_schedules (merchant_id, timezone, windows, closed_dates, updated_at)
     SELECT $1, 'UTC', '[]', array_agg((current_date + day)::date), app_now() FROM generate_series(-1, 1) AS day`,
    [closed.merchantId],
  )
  const merchants = [fleetOnly, mixed, sendsToAll, closed]
  const testing = { ...mixed, isTest: true }
  const orderIds = await Promise.all([
    knownOrder(fleetOnly, place),
    knownOrder(mixed, place),
    knownOrder(sendsToAll, elsewhere),
    knownOrder(closed, place),
    knownOrder(mixed, { lat: -23.5, lng: -13.5 }),
    knownOrder(testing, place),
  ])
  await makeDue(merchants, orderIds)
  const [own, nearOwn, toAll, shut, alone, sandbox] = orderIds as [string, string, string, string, string, string]
  await eventually(async () => expect((await searchesOf(orderIds)).every(({ has_next }) => has_next)).toBe(true))
  const ridersOf = async (orderId: string) => (await offersOf(mesh, orderId)).map(({ rider_id }) => rider_id)
  expect(await ridersOf(own)).toEqual([ofFleet])
  expect(await ridersOf(nearOwn)).toEqual([ofMixed])
  expect(await ridersOf(toAll)).toEqual(there)
  expect(await ridersOf(shut)).toEqual([])
  expect(await ridersOf(alone)).toEqual([])
  expect(await ridersOf(sandbox)).toEqual([SANDBOX_RIDER.id])
  const searches = Object.fromEntries((await searchesOf(orderIds)).map((one) => [one.order_id, one]))
  expect(searches[shut]).toMatchObject({ search: 'idle', rounds: 0 })
  expect(searches[alone]).toMatchObject({ search: 'searching', rounds: 3 })
  const seen = await mesh.sql<{ seen: string[] }>(
    `SELECT array_agg(c ->> 'rider_id' ORDER BY c ->> 'rider_id') AS seen
       FROM dispatch_rounds r, jsonb_array_elements(r.candidates) AS c WHERE order_id = $1`,
    [nearOwn],
  )
  expect(seen[0]?.seen).toEqual([freelancer, ofMixed].toSorted())
})

test('an order that cannot be dispatched is set aside and keeps none of those that are due with it waiting', async () => {
  const merchant = await byHand()
  const nowhere = { lat: -24.5, lng: -14.5 }
  const orderIds = await Promise.all(Array.from({ length: 5 }, () => knownOrder(merchant, nowhere)))
  const broken = orderIds[2] as string
  await refusingRounds(`NEW.order_id = '${broken}'`, async () => {
    await makeDue([merchant], orderIds)
    const searches = await eventually(async () => {
      const all = await searchesOf(orderIds)
      return all.every(({ has_next }) => has_next) && all
    })
    const whole = searches.filter(({ order_id }) => order_id !== broken)
    expect(whole.map(({ search, rounds }) => [search, rounds])).toEqual(whole.map(() => ['searching', 3]))
    expect(searches.find(({ order_id }) => order_id === broken)).toMatchObject({ search: 'idle', rounds: 0 })
  })
})

test('orders that come together are stored once, with the beginning of their searches, and put to their riders', async () => {
  const merchant = await insertMerchant(mesh)
  const [nowhere, place] = [
    { lat: -25.5, lng: -15.5 },
    { lat: -26.5, lng: -16.5 },
  ]
  const rider = await insertRider(mesh)
  await reportPosition(mesh, rider, place)
  const orderIds = await takenOverTogether(() =>
    Promise.all(Array.from({ length: 16 }, (_, nth) => createOrder(mesh, merchant, at(nth % 2 ? place : nowhere)))),
  )
  const searches = await eventually(async () => {
    const all = await searchesOf(orderIds)
    return (
      all.length === orderIds.length && all.every(({ search, has_next }) => search === 'searching' && has_next) && all
    )
  })
  const events = await mesh.orderSql<{ event_id: string; aggregate_id: string }>(
    `SELECT event_id, aggregate_id FROM outbox WHERE type = 'order.created' AND aggregate_id = ANY($1)`,
    [orderIds],
  )
  // Written by the transaction that heard of them, and by none since.
  const once = await mesh.sql<{ order_id: string }>(
    `SELECT j.order_id FROM unnest($1::uuid[], $2::uuid[]) AS heard (event_id, order_id)
       JOIN inbox i ON i.event_id = heard.event_id JOIN dispatch_jobs j ON j.order_id = heard.order_id AND j.xmin = i.xmin`,
    [events.map(({ event_id }) => event_id), events.map(({ aggregate_id }) => aggregate_id)],
  )
  expect(once.length).toBeGreaterThan(1)
  const offered = await Promise.all(searches.map(({ order_id }) => offersOf(mesh, order_id)))
  expect(searches.filter((_, nth) => offered[nth]!.length === 0).map(({ rounds }) => rounds)).toEqual(Array(8).fill(3))
  expect(offered.flat().map(({ rider_id }) => rider_id)).toEqual(Array(8).fill(rider))
})

test('an order that cannot be dispatched is set aside and keeps none of those that come with it waiting', async () => {
  const [merchant, broken] = [await insertMerchant(mesh), await insertMerchant(mesh)]
  const nowhere = { lat: -27.5, lng: -17.5 }
  await refusingRounds(`NEW.merchant_id = '${broken.merchantId}'`, async () => {
    const orderIds = await takenOverTogether(() =>
      Promise.all(
        Array.from({ length: 12 }, (_, nth) => createOrder(mesh, nth === 5 ? broken : merchant, at(nowhere))),
      ),
    )
    const searches = await eventually(async () => {
      const all = await searchesOf(orderIds)
      return all.length === orderIds.length && all.every(({ has_next }) => has_next) && all
    })
    expect(searches.map(({ search, rounds }) => `${search} ${rounds}`).toSorted()).toEqual([
      'idle 0',
      ...Array(11).fill('searching 3'),
    ])
  })
  expect(await mesh.sql('SELECT FROM parked')).toEqual([])
})
