import { loadavg } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { type Migrations, migrate } from '@svc/database'
import { stopTestServers, type TestDatabase, testDatabase } from '@svc/testing'
import pg from 'pg'
import { migrations as admin } from '../../services/admin/src/db/migrations/index.ts'
import { migrations as dispatch, extensions } from '../../services/dispatch/src/db/migrations/index.ts'
import { migrations as ingestion } from '../../services/ingestion/src/db/migrations/index.ts'
import { migrations as order } from '../../services/order/src/db/migrations/index.ts'
import { migrations as wallet } from '../../services/wallet/src/db/migrations/index.ts'
import { migrations as webhook } from '../../services/webhook/src/db/migrations/index.ts'
import { openTables } from './clone-rows.ts'
import { platform, rounded, table } from './report.ts'

/**
 * The slowest call of clients that write and read a large database, as its services' roles, while all migrations but the
 * first are run on it; next to the slowest before. Ends with 1 where a call fails or takes longer than a second.
 *
 *   node --conditions=source tests/bench/migrations-under-load.ts [rows of each table] [service]
 */
const rows = Number(process.argv[2] ?? 1_000_000)
const onlyService = process.argv[3]
const LONGEST_MS = 1_000
const QUIET_MS = 5_000
const CHUNK = 250_000

/** By table: what a value by its type alone would not satisfy, as SQL of `n`, the number of the row. */
type Tables = Record<string, Record<string, string>>

const uuidOf = (what: string) => `md5('${what} ' || n)::uuid`
const inTime = `now() - interval '20 days' * (${rows} - n) / ${rows}`

const common: Tables = {
  outbox: {
    shard: `get_byte(uuid_send(${uuidOf('aggregate_id')}), 15) % 16`,
    published_at: inTime,
  },
  inbox: { consumer: `'order-fact'` },
  idempotency: { expires_at: `now() + interval '1 day'` },
  intent: { state: `'applied'`, outcome: `'{}'` },
}

const SERVICES: Record<string, { migrations: Migrations; extensions?: string[]; tables: Tables }> = {
  order: {
    migrations: order,
    tables: {
      orders: {
        status: `(ARRAY['delivered','cancelled','pending'])[1 + n % 3]`,
        tracking_token: `md5('token ' || n)`,
        rider_id: `md5('rider ' || n % 1000)::uuid`,
        is_test: 'n % 10 = 0',
      },
      order_ops: { kind: `'rider_status'`, order_id: `md5('id ' || 1 + n % ${rows})::uuid` },
    },
  },
  dispatch: {
    migrations: dispatch,
    extensions,
    tables: {
      dispatch_jobs: {},
      riders: { rider_type: `'merchant_fleet'`, vehicle_type: `'motorcycle'`, kyc_status: `'approved'` },
      token_revocations: { rider_id: uuidOf('id') },
    },
  },
  wallet: {
    migrations: wallet,
    tables: {
      wallet_ops: { outcome: `'applied'`, subject_id: `'subject ' || n` },
      payout_instruments: {
        owner_kind: `'merchant'`,
        account_last4: `'1234'`,
        is_default: 'false',
        owner_id: `md5('merchant ' || n)::uuid`,
      },
    },
  },
  webhook: {
    migrations: webhook,
    tables: {
      event_log: { cursor: 'n', order_id: uuidOf('order_id') },
      delivery: { status: `'succeeded'`, order_id: uuidOf('order_id') },
      order_stream: {},
    },
  },
  admin: {
    migrations: admin,
    tables: {
      audit_log: { seq: 'n', action: `CASE WHEN n % 10000 = 0 THEN 'operator.create' ELSE 'merchant.update' END` },
      sessions: { credential: `'rider:' || n`, is_test: 'false', access_ttl_seconds: '900' },
      login_failures: {},
      rider_credentials: {},
    },
  },
  ingestion: { migrations: ingestion, tables: { inbound_hooks: { signer: `'platform'`, state: `'applied'` } } },
}

interface Column {
  name: string
  type: string
}

/** How rows of a table are made, found and touched by those who use it. */
interface Filled {
  name: string
  columns: string
  values: string
  isRow: string
  touch: string
}

/** A value that is as wide as those of production, other for each row. */
function valueOf({ name, type }: Column): string {
  if (type === 'uuid') return uuidOf(name)
  if (name === 'merchant_id') return `md5('merchant ' || n % 1000)::uuid`
  if (type.startsWith('timestamp')) return inTime
  if (type === 'json') return `json_build_object('record', repeat(md5(n::text), 20))`
  if (type === 'jsonb') return `jsonb_build_object('record', repeat(md5(n::text), 4))`
  if (type === 'bytea') return `convert_to(repeat(md5(n::text), ${name === 'secret' ? 1 : 12}), 'UTF8')`
  if (type === 'boolean') return 'false'
  if (type === 'text') return name === 'envelope' ? `repeat(md5(n::text), 30)` : `'${name} ' || n`
  return '1'
}

async function fill(ownerUrl: string, name: string, stated: Record<string, string>): Promise<Filled> {
  // Nobody waits behind this one; autovacuum, which follows so many rows, may hold a table for minutes.
  const owner = await connected(ownerUrl, '-c lock_timeout=0')
  try {
    return await filledTable(owner, name, stated)
  } finally {
    await owner.end()
  }
}

async function filledTable(owner: pg.Client, name: string, stated: Record<string, string>): Promise<Filled> {
  const { rows: columns } = await owner.query<Column & { needed: boolean; key: boolean }>(
    `SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type, a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AS needed,
            a.attnum = ANY ((SELECT conkey FROM pg_constraint WHERE conrelid = a.attrelid AND contype = 'p')::int2[]) AS key
       FROM pg_attribute a WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [name],
  )
  const made = columns.filter((column) => column.needed || column.name in stated)
  const value = (column: Column) =>
    stated[column.name] ?? (column.name === 'merchant_id' ? `md5('merchant ' || n % 1000)::uuid` : valueOf(column))
  const keys = columns.filter(({ key }) => key)
  const found = keys.every((key) => made.includes(key)) ? keys : []
  const filled = {
    name,
    columns: made.map((column) => column.name).join(', '),
    values: made.map(value).join(', '),
    isRow: found.map((key) => `${key.name} = ${value(key)}`).join(' AND '),
    touch: made.find(({ key }) => !key)?.name ?? '',
  }
  const close = await openTables(owner, [name])
  for (let from = 1; from <= rows; from += CHUNK)
    await owner.query(
      `INSERT INTO ${name} (${filled.columns}) SELECT ${filled.values} FROM generate_series(${from}, ${Math.min(from + CHUNK - 1, rows)}) AS n`,
    )
  await close()
  return filled
}

interface Slowest {
  calls: number
  ms: number
  what: string
  failures: string[]
}

/** Those who use a table: each call one statement of a role that may make it, until told to stop. */
async function use(
  database: TestDatabase,
  tables: readonly Filled[],
  signal: AbortSignal,
  firstNew: number,
): Promise<Slowest> {
  const slowest: Slowest = { calls: 0, ms: 0, what: '', failures: [] }
  const call = async (what: string, work: () => Promise<unknown>) => {
    const before = performance.now()
    try {
      await work()
    } catch (error) {
      slowest.failures.push(`${what}: ${(error as Error).message}`)
    }
    slowest.calls++
    const ms = performance.now() - before
    if (ms > slowest.ms) Object.assign(slowest, { ms, what })
  }
  await Promise.all(
    tables.map(async (one) => {
      const worker = await connected(database.workerUrl)
      const app = await connected(database.url)
      const may = async (client: pg.Client, privilege: string) =>
        (await client.query('SELECT has_table_privilege($1, $2) AS may', [one.name, privilege])).rows[0].may as boolean
      const [mayInsert, mayUpdate, mayDelete] = [
        await may(worker, 'INSERT'),
        await may(worker, 'UPDATE'),
        await may(worker, 'DELETE'),
      ]
      const mayRead = (await may(app, 'SELECT')) && one.isRow !== ''
      const from = (n: number) => `(SELECT ${n}::bigint AS n) AS numbered`
      for (let turn = 0; !signal.aborted; turn++) {
        const known = 1 + Math.floor(Math.random() * rows)
        if (mayInsert)
          await call(`INSERT ${one.name}`, () =>
            worker.query(`INSERT INTO ${one.name} (${one.columns}) SELECT ${one.values} FROM ${from(firstNew + turn)}`),
          )
        if (mayUpdate && one.isRow && one.touch)
          await call(`UPDATE ${one.name}`, () =>
            worker.query(`UPDATE ${one.name} SET ${one.touch} = ${one.touch} FROM ${from(known)} WHERE ${one.isRow}`),
          )
        if (mayDelete && one.isRow)
          await call(`DELETE ${one.name}`, () =>
            worker.query(`DELETE FROM ${one.name} USING ${from(firstNew + turn)} WHERE ${one.isRow}`),
          )
        if (mayRead)
          await call(`SELECT ${one.name}`, async () => {
            await app.query(`SELECT set_config('app.tenant_id', md5('merchant ' || $1 % 1000), false)`, [known])
            await app.query(`SELECT ${one.name}.* FROM ${one.name}, ${from(known)} WHERE ${one.isRow}`)
          })
        await wait(10)
      }
      await worker.end()
      await app.end()
    }),
  )
  return slowest
}

async function connected(url: string, options = ''): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options })
  await client.connect()
  return client
}

async function during(
  work: () => Promise<unknown>,
  using: (signal: AbortSignal) => Promise<Slowest>,
): Promise<Slowest> {
  const stopping = new AbortController()
  const calls = using(stopping.signal)
  try {
    await work()
  } finally {
    stopping.abort()
  }
  return calls
}

const results: Array<Array<string | number>> = []
let faults = 0
for (const [service, { migrations, extensions, tables }] of Object.entries(SERVICES)) {
  if (onlyService && service !== onlyService) continue
  const database = await testDatabase(service, migrations.slice(0, 1), extensions)
  try {
    const filled: Filled[] = []
    for (const [name, stated] of Object.entries({ ...common, ...tables }))
      filled.push(await fill(database.ownerUrl, name, stated))
    // Of what a migration does away with, nobody is left.
    const used = filled.filter(({ name }) => name !== 'token_revocations')
    const before = await during(
      () => wait(QUIET_MS),
      (signal) => use(database, used, signal, 2 * rows),
    )
    const started = performance.now()
    const meanwhile = await during(
      () => migrate({ name: service, ownerUrl: database.ownerUrl, migrations }),
      (signal) => use(database, used, signal, 3 * rows),
    )
    const tookMs = performance.now() - started
    const failures = [...before.failures, ...meanwhile.failures]
    for (const failure of new Set(failures)) console.error(`${service}: ${failure}`)
    if (failures.length > 0 || meanwhile.ms > LONGEST_MS) faults++
    const result = [
      service,
      migrations.length - 1,
      rounded(tookMs / 1_000, 1),
      meanwhile.calls,
      failures.length,
      `${rounded(meanwhile.ms)} (${meanwhile.what})`,
      rounded(before.ms),
    ]
    results.push(result)
    console.log(result.join('  '))
  } finally {
    await database.drop()
  }
}
console.log(
  `${platform()}; load at the end ${loadavg()
    .map((load) => rounded(load, 1))
    .join(', ')}`,
)
console.log(`${rows} rows in each table`)
console.log(
  table(['service', 'migrations and functions', 's', 'calls', 'failed', 'slowest ms', 'slowest before'], results),
)
process.exitCode = faults > 0 ? 1 : 0
await stopTestServers()
