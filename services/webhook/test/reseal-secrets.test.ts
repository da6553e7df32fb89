import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createSecretBox, reseal } from '@svc/sealing'
import { merchantCaller } from '@svc/testing'
import { findEndpoints } from '../src/db/endpoints.ts'
import { sealedTables } from '../src/db/sealed-tables.ts'
import { resealSecrets } from '../src/use-cases/reseal-secrets.ts'
import { startWebhook, type TestWebhook } from './start-webhook.ts'

const fresh = { id: 'fresh', key: randomBytes(32) }
const secretOf = () => randomBytes(16).toString('hex')

let service: TestWebhook
beforeAll(async () => {
  service = await startWebhook()
})
afterAll(() => service?.stop())

/** A merchant with all four secrets, and what they are. */
async function merchantWithSecrets() {
  const merchantId = randomUUID()
  const caller = merchantCaller({ merchantId, isTest: null })
  const url = 'https://hooks.example.com/in'
  const v2 = { signature_version: 'v2', test_signature_version: 'v2' } as const
  await service.patch(caller, { ...v2, url, secret: secretOf(), test_url: url, test_secret: secretOf() })
  await service.webhook.as(caller).rotateOutboundWebhookSecret({})
  await service.webhook.as({ ...caller, isTest: true }).rotateOutboundWebhookSecret({})
  return { merchantId, read: (keys = [fresh]) => readSecrets(merchantId, keys) }
}

async function readSecrets(merchantId: string, keys: Parameters<typeof createSecretBox>[0]) {
  const reads = service.context.reads.in({ merchantId, isTest: null })
  const { live, sandbox } = await findEndpoints(reads, createSecretBox(keys), merchantId)
  return [live, sandbox].map(({ secret, previousSecret }) => ({ secret, previousSecret }))
}

/** How many values of any column of any table a key has sealed. */
async function sealedBy(id: string): Promise<number> {
  const columns = await service.sql<{ table: string; column: string }>(
    `SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND data_type = 'text' ORDER BY 1, 2`,
  )
  const counts = columns.map(async ({ table, column }) => {
    const text = `SELECT count(*)::int AS sealed FROM "${table}" WHERE starts_with("${column}", $1)`
    const [row] = await service.sql<{ sealed: number }>(text, [`${id}:`])
    return row?.sealed ?? 0
  })
  return (await Promise.all(counts)).reduce((sum, sealed) => sum + sealed, 0)
}

test('secrets that are sealed anew open by the new key alone, and the old one has sealed none', async () => {
  const { config, database } = service.context
  const [old] = config.keyEncryptionKey
  const merchants = [await merchantWithSecrets(), await merchantWithSecrets()]
  const before = await Promise.all(merchants.map(({ read }) => read(config.keyEncryptionKey)))
  expect(before.flat().every(({ secret, previousSecret }) => secret && previousSecret)).toBe(true)
  const secretBox = createSecretBox([fresh, ...config.keyEncryptionKey])
  const sealed = await sealedBy(old!.id)
  expect(sealed).toBe(8)
  expect(await resealSecrets({ database, secretBox })).toEqual({ resealed: sealed, unopened: 0 })
  expect(await sealedBy(old!.id)).toBe(0)
  expect(await Promise.all(merchants.map(({ read }) => read()))).toEqual(before)
  expect(await resealSecrets({ database, secretBox })).toEqual({ resealed: 0, unopened: 0 })
})

test('a secret that is changed meanwhile is the changed one', async () => {
  const { config, database } = service.context
  const { merchantId, read } = await merchantWithSecrets()
  const changed = secretOf()
  let isChanged = false
  const racing: Parameters<typeof reseal>[0] = {
    async query(text, values) {
      if (text.startsWith('UPDATE') && !isChanged) {
        isChanged = true
        await service.patch(merchantCaller({ merchantId, isTest: null }), { secret: changed })
      }
      return database.worker.query(text, values)
    },
  }
  const secretBox = createSecretBox([fresh, ...config.keyEncryptionKey])
  await reseal(racing, secretBox, sealedTables)
  expect((await read([...config.keyEncryptionKey, fresh]))[0]).toMatchObject({ secret: changed })
})

test('each row is read once, by the primary key, however many there are; and again where it is run again', async () => {
  const { config, database } = service.context
  const merchants = Array.from({ length: 1_234 }, () => randomUUID())
  const old = createSecretBox(config.keyEncryptionKey)
  const sealed = merchants.map((id) =>
    old.seal({ table: 'endpoint', column: 'secret', row: id, tenant: id }, secretOf()),
  )
  await service.sql(
    `INSERT INTO endpoint (merchant_id, secret, enabled, events, updated_at)
     SELECT id, secret, false, '{}', now() FROM unnest($1::uuid[], $2::text[]) AS made (id, secret)`,
    [merchants, sealed],
  )
  await service.sql('ANALYZE endpoint')
  const [row] = await service.sql<{ rows: number }>('SELECT count(*)::int AS rows FROM endpoint')
  let read = 0
  const explained: Parameters<typeof reseal>[0] = {
    async query(text, values) {
      if (text.startsWith('SELECT')) read += await rowsRead(text, values)
      return database.worker.query(text, values)
    },
  }
  const secretBox = createSecretBox([fresh, ...config.keyEncryptionKey])
  const { resealed } = await reseal(explained, secretBox, sealedTables)
  expect(resealed).toBeGreaterThanOrEqual(merchants.length)
  expect(read).toBe(row!.rows)
  expect(await reseal(explained, secretBox, sealedTables)).toMatchObject({ resealed: 0 })
  expect(read).toBe(2 * row!.rows)
})

/** How many rows a statement reads of its table, which it must not sort. */
async function rowsRead(text: string, values: unknown[] | undefined): Promise<number> {
  const client = await service.context.database.worker.connect()
  try {
    // Of a table that is small it would be quicker to sort all of it.
    await client.query(
      'BEGIN; SET LOCAL enable_sort = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off',
    )
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    )
    await client.query('ROLLBACK')
    return rowsOf(rows[0]!['QUERY PLAN'][0].Plan)
  } finally {
    client.release()
  }
}

function rowsOf(limit: Plan): number {
  const [scan] = limit.Plans!
  expect([limit['Node Type'], scan!['Node Type']]).toEqual(['Limit', 'Index Scan'])
  return scan!['Actual Rows'] + (scan!['Rows Removed by Filter'] ?? 0)
}

interface Plan {
  'Node Type': string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

test('one that no key opens stays as it is and is counted, and holds up no other', async () => {
  const { config, database } = service.context
  const lost = await merchantWithSecrets()
  const other = await merchantWithSecrets()
  const broken = `${config.keyEncryptionKey[0]!.id}:${randomBytes(100).toString('base64')}`
  await service.sql('UPDATE endpoint SET secret = $2 WHERE merchant_id = $1', [lost.merchantId, broken])
  const secretBox = createSecretBox([fresh, ...config.keyEncryptionKey])
  expect(await resealSecrets({ database, secretBox })).toMatchObject({ unopened: 1 })
  const [row] = await service.sql('SELECT secret FROM endpoint WHERE merchant_id = $1', [lost.merchantId])
  expect(row).toEqual({ secret: broken })
  expect((await other.read())[0]?.secret).not.toBeNull()
})
