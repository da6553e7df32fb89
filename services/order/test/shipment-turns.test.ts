import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { eventually, merchantCaller } from '@svc/testing'
import { claimToBegin, deferBegin } from '../src/db/shipment-turns.ts'
import { type OrderMesh, orderMesh } from './order-mesh.ts'
import { draft, pricing } from './shipment-fixture.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh({}, { dispatch: pricing().dispatch })
})
afterAll(() => mesh.stop())

/** Submitted shipments that no other transaction sees, and whose turn it is again and again. */
async function turnsOf(
  submitted: ReadonlyArray<{ name: string; merchantId: string; isTest: boolean }>,
  count: number,
  failing?: string,
): Promise<string[]> {
  const turns: string[] = []
  const names = new Map<string, string>()
  const done = new Error('done')
  const turning = mesh.service.context.transact('every tenant', async ({ sql, now }) => {
    for (const { name, merchantId, isTest } of submitted) {
      const id = randomUUID()
      names.set(id, name)
      await sql(
        `INSERT INTO shipments (id, merchant_id, is_test, source, status, total_orders, estimated_fee_minor, created_at, submitted_at)
         VALUES ($1, $2, $3, 'bulk_json', 'submitted', 1, 0, $4, $4)`,
        [id, merchantId, isTest, now],
      )
    }
    for (let nth = 0; nth < count; nth++) {
      const at = { sql, now: new Date(now.getTime() + nth) }
      const claimed = await claimToBegin(at)
      const name = names.get(claimed?.id ?? '') ?? 'none'
      turns.push(name)
      if (claimed && name === failing) await deferBegin(at, claimed.id)
    }
    throw done
  })
  await expect(turning).rejects.toBe(done)
  return turns
}

test('merchants take turns however many shipments each has, the sandbox and live of one for themselves, and so do its shipments', async () => {
  const [large, small] = [randomUUID(), randomUUID()]
  const turns = await turnsOf(
    [
      { name: 'large 1', merchantId: large, isTest: false },
      { name: 'large 2', merchantId: large, isTest: false },
      { name: 'large 3', merchantId: large, isTest: false },
      { name: 'sandbox', merchantId: large, isTest: true },
      { name: 'small', merchantId: small, isTest: false },
    ],
    9,
  )
  const rounds = [turns.slice(0, 3), turns.slice(3, 6), turns.slice(6, 9)]
  for (const round of rounds) expect(round).toEqual(expect.arrayContaining(['sandbox', 'small']))
  const ofLarge = turns.filter((name) => name.startsWith('large'))
  expect(ofLarge.toSorted()).toEqual(['large 1', 'large 2', 'large 3'])
})

test('a shipment whose turn failed has none for a while, and all others have theirs', async () => {
  const merchantId = randomUUID()
  const turns = await turnsOf(
    [
      { name: 'broken', merchantId, isTest: false },
      { name: 'whole', merchantId, isTest: false },
    ],
    6,
    'broken',
  )
  expect(turns.filter((name) => name === 'broken')).toHaveLength(1)
  expect(turns.filter((name) => name === 'whole')).toHaveLength(5)
})

test('a shipment whose orders cannot be begun holds up no other, of its merchant or of another', async () => {
  const [caller, stranger] = [merchantCaller(), merchantCaller()]
  const broken = await draft(mesh, caller, 1)
  await mesh.service.context.database.worker.query(
    `UPDATE orders SET unified_json = '{"schema_version":"1","status":"draft","standardized":null}' WHERE shipment_id = $1`,
    [broken],
  )
  const submit = (by: Caller, id: string) => mesh.shipments(by).submitShipment({ id })
  const failures = async () =>
    (await mesh.rows<{ count: number }>('SELECT begin_failures AS count FROM shipments WHERE id = $1', [broken]))[0]!
      .count
  await submit(caller, broken)
  await eventually(async () => expect(await failures()).toBeGreaterThan(0))
  for (const by of [caller, stranger]) {
    const id = await draft(mesh, by, 2)
    await submit(by, id)
    await eventually(async () => {
      const { shipment } = await mesh.shipments(by).getShipment({ id })
      expect(shipment?.counts).toMatchObject({ draft: 0, pending: 2 })
    })
  }
  expect((await mesh.shipments(caller).getShipment({ id: broken })).shipment).toMatchObject({ counts: { draft: 1 } })
})

test('an order that its merchant calls a draft after it has begun does not begin again, nor does it hold up the others', async () => {
  const caller = merchantCaller()
  const id = await draft(mesh, caller, 51)
  const { worker } = mesh.service.context.database
  const records = await mesh.rows<{ id: string; record: string }>(
    'SELECT id, unified_json AS record FROM orders WHERE shipment_id = $1 ORDER BY shipment_row',
    [id],
  )
  const [first, last] = [records[0]!, records.at(-1)!]
  const setRecord = (record: string) =>
    worker.query('UPDATE orders SET unified_json = $2 WHERE id = $1', [last.id, record])
  const counts = async () => (await mesh.shipments(caller).getShipment({ id })).shipment?.counts
  // The last one, which begins after the 50 before it, cannot for a while.
  await setRecord('{"schema_version":"1","status":"draft","standardized":null}')
  await mesh.shipments(caller).submitShipment({ id })
  await eventually(async () => expect(await counts()).toMatchObject({ draft: 1, pending: 50 }))
  await mesh.orders(caller).updateOrder({ id: first.id, status: 'draft' })
  await setRecord(last.record)
  await worker.query('UPDATE shipments SET begin_after = NULL WHERE id = $1', [id])
  await eventually(async () => {
    const [shipment] = await mesh.rows<{ begun: boolean }>(
      'SELECT begun_at IS NOT NULL AS begun FROM shipments WHERE id = $1',
      [id],
    )
    expect(shipment).toEqual({ begun: true })
  })
  expect(await counts()).toMatchObject({ draft: 1, pending: 50 })
  expect(await mesh.rows('SELECT status, version FROM orders WHERE id = $1', [first.id])).toEqual([
    { status: 'draft', version: 2 },
  ])
})
