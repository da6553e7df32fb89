import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { type Database, openDatabase } from '@svc/database'
import { eventually } from '@svc/testing'
import pg from 'pg'
import { readConfig } from '../src/config.ts'
import { type ChainedEntry, insertEntry } from '../src/db/audit-log.ts'
import { migrations } from '../src/db/migrations/index.ts'
import { type AuditEntry, type AuditKey, CHAIN_START, chainHash, headOf } from '../src/domain/audit-entry.ts'
import { admin as adminDefinition } from '../src/service.ts'
import { verifyAuditChain } from '../src/use-cases/audit/verify-audit-chain.ts'
import { type Admin, signUp, startAdmin } from './start-admin.ts'

let admin: Admin
let database: Database
let owner: pg.Pool
let keys: AuditKey[]
let honest: ChainedEntry[]
beforeAll(async () => {
  admin = await startAdmin()
  keys = readConfig(admin.env).auditKey
  const { url, workerUrl, ownerUrl } = admin.database
  database = await openDatabase({ name: 'admin', url, workerUrl, migrations, poolSize: 1 })
  owner = new pg.Pool({ connectionString: ownerUrl, max: 1 })
  await owner.query('ALTER TABLE audit_log NO FORCE ROW LEVEL SECURITY')
  await signUp(admin)
  await signUp(admin)
  await grownTo(4)
  honest = await entries()
})
afterAll(async () => {
  await owner.end()
  await database.close()
  await admin.stop()
})
beforeEach(() => replaceBy(honest))

async function entries(): Promise<ChainedEntry[]> {
  const { rows } = await database.worker.query<Omit<ChainedEntry, 'at'> & { at: Date }>(
    `SELECT seq, event_id, at, actor_type, actor_id, on_behalf_of, merchant_id, action, resource_type, resource_id, ip,
            request_id, trace_id, before_json::text AS before_json, after_json::text AS after_json, key_id,
            previous_hash, hash
       FROM audit_log ORDER BY seq`,
  )
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}
const grownTo = (count: number) => eventually(async () => (await entries()).length === count)
const verify = (heads: string[] = [], known = keys) => verifyAuditChain(database, { keys: known, heads })
const headAt = (chain: ChainedEntry[], seq: number) => headOf(seq, chain[seq - 1]!.hash)

/** What the owner of the tables can do: switch off what protects them. */
async function asOwner(work: () => Promise<unknown>): Promise<void> {
  await owner.query('ALTER TABLE audit_log DISABLE TRIGGER USER')
  await work()
  for (const trigger of ['rows_stay', 'stays', 'stays_keyed'])
    await owner.query(`ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_${trigger}`)
}

const insert = (pool: pg.Pool, entry: ChainedEntry) =>
  insertEntry({ sql: (text: string, values: unknown[]) => pool.query(text, values) } as never, entry)

const replaceBy = (chain: ChainedEntry[]) =>
  asOwner(async () => {
    await owner.query('TRUNCATE audit_log')
    for (const entry of chain) await insert(owner, entry)
  })

/** What the hash of an entry is over, beside its place. */
function valuesOf({ seq: _seq, key_id: _keyId, previous_hash: _previous, hash: _hash, ...entry }: ChainedEntry) {
  return entry
}

/** The log with other values, chained from its start by the key, or without any. */
function writtenAnew(chain: ChainedEntry[], key: AuditKey | null, changes: Partial<AuditEntry> = {}): ChainedEntry[] {
  let previous = CHAIN_START
  return chain.map((entry) => {
    const { seq } = entry
    const told = { ...valuesOf(entry), ...changes }
    const chained = { seq, ...told, key_id: key?.id ?? null, previous_hash: previous }
    previous = chainHash(previous, seq, told, key)
    return { ...chained, hash: previous }
  })
}

test.each(['by another key of that name', 'without any key'])(
  'a log that its owner has written anew as a whole %s is found broken, after the service has gone on with it too',
  async (how) => {
    expect(await verify([headAt(honest, 2)])).toMatchObject({ intact: true, entries: 4 })
    const key = how === 'without any key' ? null : { id: keys[0]!.id, key: Buffer.alloc(32, 9) }
    await replaceBy(writtenAnew(honest, key, { actor_id: 'somebody else' }))
    const problem = expect.stringContaining(key ? 'not as it was recorded' : 'up to 4 have no key')
    expect(await verify()).toMatchObject({ intact: false, brokenAtSeq: 1, problem })
    await signUp(admin)
    await grownTo(6)
    expect(await verify()).toMatchObject({ intact: false, brokenAtSeq: 1, problem })
    expect(await verify([headAt(honest, 4)])).toMatchObject({ intact: false, brokenAtSeq: key ? 1 : 4 })
  },
)

test('entries of before there was a key are proven by a head of theirs or a later one, and by nothing else', async () => {
  const before = writtenAnew(honest, null)
  await replaceBy(before)
  expect(await verify([headAt(before, 4)])).toMatchObject({ intact: true, entries: 4 })
  await signUp(admin)
  await grownTo(6)
  const now = await entries()
  expect(now.map(({ key_id }) => key_id)).toEqual([null, null, null, null, 'k1', 'k1'])
  for (const head of [headAt(now, 4), headAt(now, 6)])
    expect(await verify([head])).toMatchObject({ intact: true, entries: 6 })
  for (const heads of [[], [headAt(now, 3)]])
    expect(await verify(heads)).toMatchObject({
      intact: false,
      problem: expect.stringContaining('up to 4 have no key'),
    })
})

test('after an entry with a key the database takes none without, and one that got in is a break', async () => {
  const [last] = honest.slice(-1)
  const values = { ...last!, event_id: randomUUID(), seq: 5 }
  const hash = chainHash(last!.hash, 5, valuesOf(values), null)
  const unkeyed = { ...values, key_id: null, previous_hash: last!.hash, hash }
  await expect(insert(admin.worker, unkeyed)).rejects.toThrow(/chained by a key/)
  await asOwner(() => insert(owner, unkeyed))
  expect(await verify([headOf(5, hash)])).toMatchObject({
    intact: false,
    brokenAtSeq: 5,
    problem: expect.stringContaining('without a key'),
  })
})

test('an entry is hashed as it was recorded whatever its texts hold, and the first that was changed is named', async () => {
  const controls = Array.from({ length: 31 }, (_, n) => String.fromCharCode(n + 1)).join('')
  const text = `${controls}"\\/\u007f\u0080\u2028\u2029é😀\ufeff`
  const strange = writtenAnew(honest, keys[0]!, {
    at: '2026-01-02T03:04:05.060Z',
    actor_id: text,
    ip: null,
    trace_id: '',
    before_json: null,
    after_json: `{ "a" : ${JSON.stringify(text)}, "n": 1.50 }`,
  })
  await replaceBy(strange)
  expect(await verify()).toMatchObject({ intact: true, entries: 4 })
  for (const [place, change] of [
    [2, { actor_id: `${text} ` }],
    [1, { trace_id: null }],
    [3, { at: '2026-01-02T03:04:05.061Z' }],
    [2, { after_json: JSON.stringify({ a: text, n: 1.5 }) }],
  ] as const) {
    await replaceBy(strange.map((entry, n) => (n === place ? { ...entry, ...change } : entry)))
    expect(await verify()).toMatchObject({ intact: false, entries: place, brokenAtSeq: place + 1 })
  }
})

test('what was cut off its end shows against a head that was written down, and nothing stands before its start', async () => {
  await replaceBy(honest.slice(0, 3))
  expect(await verify([headAt(honest, 3)])).toMatchObject({ intact: true, entries: 3 })
  expect(await verify([headAt(honest, 4)])).toMatchObject({
    intact: false,
    brokenAtSeq: 4,
    problem: expect.stringContaining('cut off'),
  })
  await replaceBy([{ ...honest[3]!, seq: 0 }, ...honest.slice(0, 3)])
  expect(await verify()).toMatchObject({ intact: false, brokenAtSeq: 0 })
})

test('a new key goes on with the chain while other replicas have the former one, which stays in the list', async () => {
  const AUDIT_KEY = `k2:${Buffer.alloc(32, 2).toString('base64')},${admin.env['AUDIT_KEY']}`
  const config = readConfig({ ...admin.env, INSTANCE: 'replica', AUDIT_KEY })
  const replica = await adminDefinition.create(config)
  await replica.start()
  try {
    await eventually(async () => {
      await signUp(admin)
      return (await entries()).some(({ key_id }) => key_id === 'k2')
    })
  } finally {
    await replica.stop()
  }
  const verdict = await verify([], config.auditKey)
  expect(verdict).toMatchObject({ intact: true })
  expect(verdict.entries).toBeGreaterThan(4)
  expect(await verify([], config.auditKey.slice(0, 1))).toMatchObject({
    intact: false,
    brokenAtSeq: 1,
    problem: expect.stringContaining('AUDIT_KEY does not name: k1'),
  })
})
