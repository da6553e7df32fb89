import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type TestDatabase, testDatabase } from '@svc/testing'
import pg from 'pg'
import { migrations } from '../src/db/migrations/index.ts'
import { violations } from './ledger-violations.ts'

/** What the database itself refuses, whatever code runs above it. */
let database: TestDatabase
const clients: Record<'owner' | 'worker' | 'app', pg.Client> = {} as never

beforeAll(async () => {
  database = await testDatabase('wallet', migrations)
  const urls = { owner: database.ownerUrl, worker: database.workerUrl, app: database.url }
  for (const [role, connectionString] of Object.entries(urls)) {
    const client = new pg.Client({ connectionString })
    await client.connect()
    clients[role as keyof typeof clients] = client
  }
  await clients.app.query(`SELECT set_config('app.tenant_id', $1, false)`, [randomUUID()])
})
afterAll(async () => {
  for (const client of Object.values(clients)) await client.end()
  await database.drop()
})

const worker = (text: string, values: unknown[] = []) => clients.worker.query(text, values)
const TABLES = ['ledger_lines', 'wallet_ops', 'hold_captures']

async function account(): Promise<string> {
  const { rows } = await worker(
    `SELECT (account_ids('{merchant}', ARRAY[$1::uuid], '{available}', 'NGN', false))[1] AS id`,
    [randomUUID()],
  )
  return rows[0].id
}

async function operation(): Promise<string> {
  const opKey = `op:${randomUUID()}`
  await worker(
    `INSERT INTO wallet_ops (op_key, request_hash, kind, outcome, created_at) VALUES ($1, '', 'x', 'applied', now())`,
    [opKey],
  )
  return opKey
}

const line = (opKey: string, lineNo: number, accountId: string, amountMinor: number, version: number | null = null) =>
  worker(
    `INSERT INTO ledger_lines (op_key, line_no, account_id, is_test, currency, entry_type, amount_minor, account_version, created_at)
     VALUES ($1, $2, $3, false, 'NGN', 'adjustment', $4, $5, now())`,
    [opKey, lineNo, accountId, amountMinor, version],
  )

describe('what is written stays', () => {
  test.each(TABLES)('nobody changes or removes a row of %s, not even the owner of the table', async (table) => {
    for (const change of [`UPDATE ${table} SET op_key = op_key`, `DELETE FROM ${table}`, `TRUNCATE ${table} CASCADE`])
      for (const role of ['owner', 'worker', 'app'] as const)
        await expect(clients[role].query(change)).rejects.toMatchObject({ code: '42501' })
  })

  test('an account is never removed, and at run time only its balance moves', async () => {
    await account()
    await expect(clients.owner.query('DELETE FROM accounts')).rejects.toMatchObject({ code: '42501' })
    await expect(worker('DELETE FROM accounts')).rejects.toMatchObject({ code: '42501' })
    for (const column of ['floor_minor = -1', `owner_kind = 'operator'`, 'is_test = true', `currency = 'USD'`])
      await expect(worker(`UPDATE accounts SET ${column}`)).rejects.toMatchObject({ code: '42501' })
    await expect(worker('UPDATE holds SET amount_minor = 1')).rejects.toMatchObject({ code: '42501' })
  })

  test('the role of tenants writes nothing at all', async () => {
    for (const statement of [
      `INSERT INTO wallet_ops (op_key, request_hash, kind, outcome, created_at) VALUES ('x', '', 'x', 'applied', now())`,
      'UPDATE accounts SET balance_minor = 1',
      `INSERT INTO accounts (owner_kind, owner_id, purpose, currency, is_test) VALUES ('operator', gen_random_uuid(), 'held', 'NGN', false)`,
      'UPDATE holds SET released_minor = 1',
    ])
      await expect(clients.app.query(statement)).rejects.toMatchObject({ code: '42501' })
  })
})

describe('what cannot be', () => {
  test('lines that do not sum to zero are refused at the commit', async () => {
    const opKey = await operation()
    const [one, other] = [await account(), await account()]
    await worker('BEGIN')
    await line(opKey, 1, one, -100)
    await line(opKey, 2, other, 99)
    await expect(worker('COMMIT')).rejects.toMatchObject({ code: '23514' })
    await expect(line(opKey, 1, one, 100)).rejects.toMatchObject({ code: '23514' })
  })

  test('a balance below the floor, or above what a number can hold', async () => {
    const id = await account()
    for (const balance of [-1, 2n ** 53n])
      await expect(worker('UPDATE accounts SET balance_minor = $2 WHERE id = $1', [id, balance])).rejects.toMatchObject(
        {
          code: '23514',
        },
      )
  })

  test('a balance on an account that all postings share', async () => {
    const { rows } = await worker(
      `SELECT (account_ids('{operator}', ARRAY[$1::uuid], '{available}', 'NGN', false))[1] AS id`,
      [randomUUID()],
    )
    const set = worker('UPDATE accounts SET balance_minor = 1 WHERE id = $1', [rows[0].id])
    await expect(set).rejects.toMatchObject({ code: '23514' })
  })

  test('two lines of one account with one version', async () => {
    const [one, other] = [await account(), await account()]
    const [first, second] = [await operation(), await operation()]
    await worker('BEGIN')
    await line(first, 1, one, -5, 1)
    await line(first, 2, other, 5, 1)
    await worker('COMMIT')
    await expect(line(second, 1, one, -5, 1)).rejects.toMatchObject({ code: '23505' })
  })

  test('a second applied operation for one business key', async () => {
    const write = () =>
      worker(
        `INSERT INTO wallet_ops (op_key, request_hash, kind, subject_id, outcome, created_at)
         VALUES ($1, '', 'commission', 'one', 'applied', now())`,
        [randomUUID()],
      )
    await write()
    await expect(write()).rejects.toMatchObject({ code: '23505' })
  })
})

test('the invariants see a balance that was changed by hand', async () => {
  const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await clients.worker.query<Row>(text, values)).rows
  const id = await account()
  await worker('UPDATE accounts SET balance_minor = 7 WHERE id = $1', [id])
  expect(Object.keys(await violations(sql))).toContain('a balance is the sum of its lines, and its version counts them')
})
