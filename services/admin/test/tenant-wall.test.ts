import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { type Admin, signUp, startAdmin } from './start-admin.ts'

const TENANT_TABLES = ['merchants', 'users', 'api_keys', 'sessions']
const WORKER_TABLES = ['operators', 'login_failures', 'audit_log']

let admin: Admin
let app: pg.Client
beforeAll(async () => {
  admin = await startAdmin()
  app = new pg.Client({ connectionString: admin.database.url })
  await app.connect()
})
afterAll(async () => {
  await app.end()
  await admin.stop()
})

async function as<T>(merchantId: string, work: () => Promise<T>): Promise<T> {
  await app.query('BEGIN')
  await app.query("SELECT set_config('app.tenant_id', $1, true)", [merchantId])
  try {
    return await work()
  } finally {
    await app.query('ROLLBACK')
  }
}

describe('the second wall', () => {
  test.each(TENANT_TABLES)('a query of %s without a tenant fails', async (table) => {
    await expect(app.query(`SELECT count(*) FROM ${table}`)).rejects.toThrow(
      /app\.tenant_id|invalid input syntax for type uuid/,
    )
    // A connection that has served a tenant before holds an empty setting.
    await as(randomUUID(), () => app.query('SELECT 1'))
    await expect(app.query(`SELECT count(*) FROM ${table}`)).rejects.toThrow(/invalid input syntax for type uuid/)
  })

  test('a tenant sees and writes its own rows only', async () => {
    const [ours, theirs] = [await signUp(admin), await signUp(admin)]
    await admin.credentials.as(ours.caller).exchangeApiKey({})
    await admin.credentials.as(theirs.caller).exchangeApiKey({})
    for (const table of TENANT_TABLES) {
      const column = table === 'merchants' ? 'id' : 'merchant_id'
      const { rows } = await as(ours.merchantId, () => app.query(`SELECT DISTINCT ${column} AS id FROM ${table}`))
      expect(rows).toEqual([{ id: ours.merchantId }])
      const touched = await as(ours.merchantId, () =>
        app.query(`UPDATE ${table} SET created_at = created_at WHERE ${column} = $1`, [theirs.merchantId]),
      )
      expect(touched.rowCount).toBe(0)
    }
    await expect(
      as(ours.merchantId, () => app.query('UPDATE api_keys SET merchant_id = $1', [theirs.merchantId])),
    ).rejects.toThrow(/row-level security/)
  })

  test.each(WORKER_TABLES)('%s is out of reach of whoever serves tenants', async (table) => {
    await expect(as(randomUUID(), () => app.query(`SELECT count(*) FROM ${table}`))).rejects.toThrow(
      /permission denied/,
    )
  })

  test('every table has a forced policy', async () => {
    const { rows } = await admin.worker.query(
      `SELECT relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
        WHERE nspname = 'public' AND relkind = 'r' AND NOT (relrowsecurity AND relforcerowsecurity) ORDER BY relname`,
    )
    expect(rows.map(({ relname }) => relname)).toEqual(['app_clock', 'schema_migration'])
  })
})
