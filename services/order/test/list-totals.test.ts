import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Totals } from '@svc/database'
import { merchantCaller } from '@svc/testing'
import pg from 'pg'
import { LiveTotals } from '../src/db/live-totals.ts'
import { clientsOf, creation, type OrderMesh, orderMesh, page } from './order-mesh.ts'

/** Of these tests: so many orders are the most that a total tells of. */
const LIMIT = 12

let mesh: OrderMesh
/** A replica that asks at each count which orders are settled. */
let anew: Awaited<ReturnType<OrderMesh['start']>>
let clients: ReturnType<typeof clientsOf>
let worker: pg.Client
beforeAll(async () => {
  mesh = await orderMesh({}, { liveTotals: new LiveTotals(LIMIT), totals: new Totals(LIMIT) })
  anew = await mesh.start({ instance: 'anew' }, { liveTotals: new LiveTotals(LIMIT, 0), totals: new Totals(LIMIT) })
  clients = clientsOf(anew.address())
  worker = new pg.Client({ connectionString: mesh.database.workerUrl })
  await worker.connect()
})
afterAll(async () => {
  await worker?.end()
  clients?.close()
  await anew?.stop()
  await mesh?.stop()
})

const merchant = () => {
  const live = merchantCaller({ isTest: false })
  return { live, sandbox: { ...live, isTest: true }, both: { ...live, isTest: null } }
}
type Caller = ReturnType<typeof merchantCaller>
const create = async (caller: Caller, count = 1) => {
  for (let n = 0; n < count; n++) await mesh.orders(caller).createOrder(creation())
}
/** As both replicas tell it, whatever they counted before. */
async function total(caller: Caller, filter = {}): Promise<number> {
  const asked = { ...page(1), ...filter }
  const { total: told } = await mesh.orders(caller).listOrders(asked)
  expect(await clients.orders(caller).listOrders(asked)).toMatchObject({ total: told })
  return told
}

/** As if every order of the merchant so far had been created an hour ago. */
const age = ({ merchantId }: Caller) =>
  worker.query(`UPDATE orders SET created_at = created_at - interval '1 hour' WHERE merchant_id = $1`, [merchantId])

describe('the total of all orders', () => {
  test('counts each order once, those that were counted before and those that came since', async () => {
    const { live } = merchant()
    expect(await total(live)).toBe(0)
    await create(live, 2)
    expect([await total(live), await total(live)]).toEqual([2, 2])
  })

  test('is each merchant’s own where lists of many are asked for in one moment', async () => {
    const merchants = [1, 2, 3].map((count) => ({ count, ...merchant() }))
    for (const { live, count } of merchants) await create(live, count)
    // Lists whose total is known share a round trip.
    for (let turn = 0; turn < 3; turn++) {
      const asked = [...merchants, ...merchants, ...merchants, ...merchants]
      const lists = await Promise.all(asked.map(({ live }) => mesh.orders(live).listOrders(page(2))))
      for (const [nth, { total: found, orders }] of lists.entries()) {
        const { live, count } = asked[nth]!
        expect(found).toBe(count)
        expect(orders.map(({ merchant_id }) => merchant_id)).toEqual(Array(Math.min(count, 2)).fill(live.merchantId))
      }
    }
  })

  test('is right when what was counted has become old', async () => {
    const { live } = merchant()
    await create(live, 3)
    await age(live)
    expect([await total(live), await total(live), await total(live)]).toEqual([3, 3, 3])
    await create(live, 2)
    expect([await total(live), await total(live)]).toEqual([5, 5])
  })

  test("sees an order whose transaction was open while the others were counted, and only its tenant's", async () => {
    const { live } = merchant()
    await create(live)
    await create(merchantCaller({ isTest: false }))
    await worker.query('BEGIN')
    await worker.query(
      `INSERT INTO orders SELECT r.* FROM orders o,
         json_populate_record(o, json_build_object('id', $2::uuid, 'tracking_token', NULL, 'external_order_id', 'open')) r
        WHERE o.merchant_id = $1`,
      [live.merchantId, randomUUID()],
    )
    expect(await total(live)).toBe(1)
    await worker.query('COMMIT')
    expect(await total(live)).toBe(2)
  })

  test('counts the sandbox anew each time, as it is swept', async () => {
    const { live, sandbox, both } = merchant()
    await create(live, 2)
    await create(sandbox, 3)
    await age(live)
    const totals = async () => [
      await total(live),
      await total(sandbox),
      await total(both),
      await total(both, { is_test: false }),
      await total(both, { is_test: true }),
      await total(live, { is_test: true }),
    ]
    expect(await totals()).toEqual([2, 3, 5, 2, 3, 0])
    expect(await totals()).toEqual([2, 3, 5, 2, 3, 0])
    await worker.query('DELETE FROM orders WHERE merchant_id = $1 AND is_test', [live.merchantId])
    expect(await totals()).toEqual([2, 0, 2, 2, 0, 0])
  })

  test('ends at its limit, old orders and new ones together', async () => {
    const { live } = merchant()
    await create(live, LIMIT - 2)
    await age(live)
    expect(await total(live)).toBe(LIMIT - 2)
    await create(live, 5)
    expect([await total(live), await total(live)]).toEqual([LIMIT, LIMIT])
  })
})

describe('the total of what a filter finds', () => {
  const pending = { status: 'pending' }

  test('is exact up to its limit, and the limit beyond', async () => {
    const { live } = merchant()
    await create(live, LIMIT)
    expect(await total(live, pending)).toBe(LIMIT)
    await create(live)
    expect(await total(live, pending)).toBe(LIMIT)
    await worker.query(`UPDATE orders SET status = 'accepted' WHERE merchant_id = $1`, [live.merchantId])
    expect([await total(live, { status: 'accepted' }), await total(live, { status: 'delivered' })]).toEqual([LIMIT, 0])
  })
})
