import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { column, STORED } from '../src/db/functions/create-order.sql.ts'
import { type OrderMesh, orderMesh } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh()
})
afterAll(() => mesh.stop())

/** How the catalogue spells a type. */
const CATALOGUE: Readonly<Record<string, string>> = { timestamptz: 'timestamp with time zone', int: 'integer' }

test('the fields of an order are the columns of its table, each with the type of its parameter', async () => {
  const columns = await mesh.rows<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = 'orders'`,
  )
  const fields = Object.entries(STORED).map(([field, type]) => [column(field), type] as const)
  expect(columns.map(({ name }) => name).toSorted()).toEqual(fields.map(([name]) => name).toSorted())
  const types = new Map(columns.map(({ name, type }) => [name, type]))
  const stored = fields.filter(([, type]) => type !== 'later')
  expect(stored.map(([name]) => types.get(name))).toEqual(stored.map(([, type]) => CATALOGUE[type] ?? type))
})
