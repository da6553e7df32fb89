import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { defineEntity, p } from '@mikro-orm/postgresql'
import {
  foundationSql,
  type OrmDatabase,
  openDatabase,
  recorderTableSql,
  SqlMigration,
  tenantTableSql,
} from '@svc/database'
import { type TestDatabase, testDatabase } from '@svc/testing'
import pg from 'pg'

class Parcels extends SqlMigration {
  up() {
    this.addSql(foundationSql)
    this.addSql(`CREATE TABLE parcel (id uuid PRIMARY KEY, merchant_id uuid NOT NULL, weight bigint NOT NULL,
      details jsonb, created_at timestamptz NOT NULL DEFAULT app_now())`)
    this.addSql(tenantTableSql({ service: 'walltest', table: 'parcel' }))
    this.addSql('CREATE TABLE recorded (id uuid PRIMARY KEY)')
    this.addSql(recorderTableSql({ service: 'walltest', table: 'recorded' }))
  }
}
const migrations = [{ name: '202611010000-parcels', class: Parcels }]

const ParcelSchema = defineEntity({
  name: 'Parcel',
  tableName: 'parcel',
  properties: {
    id: p.uuid().primary(),
    merchant_id: p.uuid(),
    weight: p.bigint('number'),
    details: p.json<{ note: string }>().nullable(),
    created_at: p.datetime().onCreate(() => new Date()),
  },
})
class Parcel extends ParcelSchema.class {
  isHeavy() {
    return this.weight > 1000
  }
}
ParcelSchema.setClass(Parcel)

const ours = randomUUID()
const theirs = randomUUID()
let dev: TestDatabase
let db: OrmDatabase

beforeAll(async () => {
  dev = await testDatabase('walltest', migrations)
  db = await openDatabase({
    name: 'walltest',
    url: dev.url,
    workerUrl: dev.workerUrl,
    migrations,
    entities: [ParcelSchema],
  })
  for (const merchant of [ours, theirs])
    await db.worker.query('INSERT INTO parcel (id, merchant_id, weight) VALUES ($1, $2, 5000)', [
      randomUUID(),
      merchant,
    ])
})

afterAll(async () => {
  await db?.close()
  await dev?.drop()
})

async function asTenant<T>(tenant: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await db.app.connect()
  try {
    await client.query('BEGIN')
    await client.query("SELECT set_config('app.tenant_id', $1, true)", [tenant])
    return await work(client)
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

describe('the tenant wall', () => {
  test('a statement without a tenant fails on a fresh connection', async () => {
    await expect(db.app.query('SELECT * FROM parcel')).rejects.toThrow(/app\.tenant_id/)
  })

  test('a statement without a tenant fails on a connection that served a tenant before', async () => {
    const client = await db.app.connect()
    try {
      await client.query('BEGIN')
      await client.query("SELECT set_config('app.tenant_id', $1, true)", [ours])
      await client.query('COMMIT')
      await expect(client.query('SELECT * FROM parcel')).rejects.toThrow(/invalid input syntax for type uuid: ""/)
    } finally {
      client.release()
    }
  })

  test("another tenant's row does not exist, by id or in a list", async () => {
    const theirRow = await db.worker.query<{ id: string }>('SELECT id FROM parcel WHERE merchant_id = $1', [theirs])
    const seen = await asTenant(ours, async (client) => ({
      all: (await client.query<{ merchant_id: string }>('SELECT merchant_id FROM parcel')).rows,
      byId: (await client.query('SELECT 1 FROM parcel WHERE id = $1', [theirRow.rows[0]!.id])).rowCount,
      updated: (await client.query('UPDATE parcel SET weight = 0 WHERE id = $1', [theirRow.rows[0]!.id])).rowCount,
    }))
    expect(seen).toEqual({ all: [{ merchant_id: ours }], byId: 0, updated: 0 })
  })

  test('no row can be written for another tenant', async () => {
    const insert = asTenant(ours, (client) =>
      client.query('INSERT INTO parcel (id, merchant_id, weight) VALUES ($1, $2, 1)', [randomUUID(), theirs]),
    )
    await expect(insert).rejects.toThrow(/row-level security/)
    const move = asTenant(ours, (client) => client.query('UPDATE parcel SET merchant_id = $1', [theirs]))
    await expect(move).rejects.toThrow(/row-level security/)
  })

  test('the app role cannot lower the wall', async () => {
    for (const statement of [
      'SET ROLE walltest_worker',
      'SET ROLE walltest_owner',
      'ALTER TABLE parcel DISABLE ROW LEVEL SECURITY',
      'TRUNCATE parcel',
      'DROP POLICY tenant ON parcel',
      'CREATE TABLE mine (id int)',
      "INSERT INTO app_clock (shift) VALUES ('1 day')",
      'SELECT * FROM recorded',
    ])
      await expect(db.app.query(statement)).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|22023)$/) })
    await expect(
      db.app.query('SET row_security = off').then(() => db.app.query('SELECT * FROM parcel')),
    ).rejects.toThrow()
  })

  test('the inspect role reads every tenant and writes nothing', async () => {
    const inspect = new pg.Client({ connectionString: dev.inspectUrl })
    await inspect.connect()
    try {
      expect((await inspect.query('SELECT 1 FROM parcel')).rowCount).toBe(2)
      await expect(inspect.query('DELETE FROM parcel')).rejects.toMatchObject({ code: '42501' })
    } finally {
      await inspect.end()
    }
  })
})

describe('the mapping of rows', () => {
  test('the ORM of either role maps the same class, with bigint as number and timestamptz as Date', async () => {
    const em = db.orm.em.fork({ session: { variables: { 'app.tenant_id': ours } } })
    const [own] = await em.find(Parcel, {})
    expect(own!.isHeavy()).toBe(true)
    expect(own!.created_at).toBeInstanceOf(Date)
    const all = await db.workerOrm.em.fork().find(Parcel, { weight: { $gt: 1 } }, { orderBy: { created_at: 'asc' } })
    expect(all.map((parcel) => parcel.merchant_id)).toEqual([ours, theirs])
    const plain = await db.worker.query(
      'SELECT weight, created_at, ARRAY[1, NULL]::bigint[] AS list FROM parcel LIMIT 1',
    )
    expect(plain.rows[0]).toEqual({ weight: 5000, created_at: expect.any(Date), list: [1, null] })
  })

  test('a bigint that a number cannot hold is refused, not rounded', async () => {
    await expect(db.worker.query('SELECT 9007199254740993::bigint AS n')).rejects.toThrow(/2\^53/)
  })
})

test('app_now() follows the shifted clock of tests and is the real time without one', async () => {
  const read = async () => (await db.app.query<{ now: Date }>('SELECT app_now() AS now')).rows[0]!.now.getTime()
  expect(Math.abs((await read()) - Date.now())).toBeLessThan(60_000)
  await dev.shiftClock(3_600_000)
  expect(Math.abs((await read()) - Date.now() - 3_600_000)).toBeLessThan(60_000)
  await dev.shiftClock(0)
})
