import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { openDatabase } from '@svc/database'
import { mesh } from '@svc/testing'
import pg from 'pg'
import { fetch } from 'undici'
import { migrations } from '../../services/admin/src/db/migrations/index.ts'
import { type AuditEntry, chainHash } from '../../services/admin/src/domain/audit-entry.ts'
import { verifyAuditChain } from '../../services/admin/src/use-cases/audit/verify-audit-chain.ts'
import { Api, answered } from '../journeys/merchant.ts'
import { median, platform, rounded, table } from './report.ts'

/**
 * What the audit log costs when it is long: to verify its chain, to list it by each filter, and to export it again and again,
 * with the memory of the two processes that do. Ends with 1 where their memory goes on growing. About 1 GB of disk
 * and a minute a million entries.
 *
 * Those that are only listed and exported are not chained, which fills a long log in a fraction of the time.
 *
 *   node --conditions=source tests/bench/audit-log.ts [chained entries] [exports of 5,000] [entries only listed]
 */
const entries = Number(process.argv[2] ?? 1_000_000)
const exports = Number(process.argv[3] ?? 40)
const onlyListed = Number(process.argv[4] ?? 0)
const MOST_GROWTH_MIB = 64
const BATCH = 5_000
const UNCHAINED_BATCH = 20_000

const key = { id: 'bench', key: randomBytes(32) }
const system = await mesh({
  ownServers: true,
  spans: false,
  environment: { AUDIT_KEY: `${key.id}:${key.key.toString('base64')}`, RATE_ADMIN_PER_MINUTE: '1000000' },
})

/** Megabytes that a process holds. */
function residentMib(name: string): number {
  const file = system.pidFiles().find((one) => basename(one, '.pid') === name)
  const [pid] = readFileSync(file as string, 'utf8').split(' ')
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1024
}

const merchants = Array.from({ length: 1_000 }, () => randomUUID())

/** An entry as one in ten thousand, a thousand or ten of its kind. */
const entryOf = (n: number): AuditEntry => ({
  event_id: randomUUID(),
  at: new Date(Date.now() - (entries - n) * 1_000).toISOString(),
  actor_type: n % 10 === 0 ? 'admin' : 'merchant_key',
  actor_id: randomUUID(),
  on_behalf_of: null,
  merchant_id: merchants[n % merchants.length] as string,
  action: n % 10_000 === 0 ? 'withdrawal.approve' : 'api_key.create',
  resource_type: n % 10_000 === 0 ? 'withdrawal' : 'api_key',
  resource_id: randomUUID(),
  ip: '192.0.2.1',
  request_id: randomUUID(),
  trace_id: null,
  before_json: JSON.stringify({ status: 'pending_review', note: 'x'.repeat(200) }),
  after_json: JSON.stringify({ status: 'approved', note: 'y'.repeat(200) }),
})

/** The chain goes on behind what the start of the mesh has recorded. */
async function fill(worker: pg.Client): Promise<void> {
  const { rows } = await worker.query<{ seq: string; hash: Buffer }>(
    'SELECT seq, hash FROM audit_log ORDER BY seq DESC LIMIT 1',
  )
  let seq = Number(rows[0]?.seq ?? 0)
  let previous = rows[0]?.hash ?? Buffer.alloc(32)
  for (let n = 0; n < entries; n += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, entries - n) }, (_, i) => {
      const entry = entryOf(n + i)
      seq += 1
      const hash = chainHash(previous, seq, entry, key)
      const row = {
        seq,
        ...entry,
        key_id: key.id,
        previous_hash: `\\x${previous.toString('hex')}`,
        hash: `\\x${hash.toString('hex')}`,
      }
      previous = hash
      return row
    })
    await worker.query('INSERT INTO audit_log SELECT * FROM json_populate_recordset(NULL::audit_log, $1::json)', [
      JSON.stringify(
        batch.map((row) => ({
          ...row,
          before_json: JSON.parse(row.before_json as string),
          after_json: JSON.parse(row.after_json as string),
        })),
      ),
    ])
  }
}

/** More of the same kinds, made by the database: their hashes are none. */
async function fillUnchained(worker: pg.Client): Promise<void> {
  for (let n = 0; n < onlyListed; n += UNCHAINED_BATCH)
    await worker.query(
      `INSERT INTO audit_log (seq, event_id, at, actor_type, actor_id, merchant_id, action, resource_type, resource_id,
                              before_json, after_json, key_id, previous_hash, hash)
       SELECT last.seq + n, gen_random_uuid(), now(), CASE WHEN n % 10 = 0 THEN 'admin' ELSE 'merchant_key' END, n,
              ($1::text[])[1 + n % 1000], CASE WHEN n % 10000 = 0 THEN 'withdrawal.approve' ELSE 'api_key.create' END,
              CASE WHEN n % 10000 = 0 THEN 'withdrawal' ELSE 'api_key' END, n, json_build_object('note', repeat('x', 200)),
              json_build_object('note', repeat('y', 200)), 'bench', '', ''
         FROM (SELECT max(seq) AS seq FROM audit_log) AS last, generate_series(1, $2::int) AS n`,
      [merchants, Math.min(UNCHAINED_BATCH, onlyListed - n)],
    )
}

try {
  const urls = system.databaseUrls['admin'] as Record<'app' | 'worker', string>
  const worker = new pg.Client({ connectionString: urls.worker })
  await worker.connect()
  const filling = performance.now()
  await fill(worker)
  await worker.query('ANALYZE audit_log')
  console.log(`${entries} entries filled in ${rounded((performance.now() - filling) / 1_000)} s`)

  const database = await openDatabase({ name: 'admin', url: urls.app, workerUrl: urls.worker, migrations, poolSize: 1 })
  const verifying = performance.now()
  const verdict = await verifyAuditChain(database, { keys: [key] })
  const verifiedS = (performance.now() - verifying) / 1_000
  if (!verdict.intact) throw new Error(verdict.problem)
  console.log(
    `verified ${verdict.entries} entries in ${rounded(verifiedS, 1)} s: ${rounded((verifiedS * 1e6) / verdict.entries, 1)} s per million\n`,
  )
  await database.close()
  await fillUnchained(worker)
  await worker.query('ANALYZE audit_log')
  await worker.end()

  const minted = await new Api(system.baseUrl).post('/v1/admin/auth/token', { token: system.adminStaticToken })
  const operator = new Api(system.baseUrl).bearing(minted.body.access_token)
  const lists = [
    '',
    `offset=${(entries + onlyListed) / 2}`,
    `merchant_id=${merchants[7]}`,
    'action=withdrawal.approve',
    'action=unheard.of',
    'resource_type=withdrawal',
    'actor_type=admin',
    `actor_type=admin&offset=${(entries + onlyListed) / 20}`,
    'actor_type=merchant_key',
    `actor_type=merchant_key&merchant_id=${merchants[7]}`,
  ]
  const rows: Array<[string, number, number]> = []
  for (const filter of lists) {
    const times: number[] = []
    let total = 0
    for (let turn = 0; turn < 9; turn++) {
      const before = performance.now()
      total = answered(200, await operator.get(`/v1/admin/audit-logs?limit=200&${filter}`)).body.total
      times.push(performance.now() - before)
    }
    rows.push([filter.replace(/[0-9a-f-]{36}/, '…') || '(none)', total, rounded(median(times))])
  }
  console.log(table(['list of 200 by', 'total', 'median ms'], rows))

  const processes = ['gateway', 'admin']
  const least = processes.map(residentMib)
  // A heap grows to what its work needs: the first quarter is for that.
  const most = processes.map(() => ({ first: 0, later: 0 }))
  let exported = 0
  const exporting = performance.now()
  for (let n = 0; n < exports; n++) {
    const { headers, dispatcher } = operator
    const response = await fetch(`${system.baseUrl}/v1/admin/audit-logs/export?limit=5000`, { headers, dispatcher })
    for await (const chunk of response.body ?? [])
      exported += (chunk as Uint8Array).filter((byte) => byte === 10).length
    const quarter = n < exports / 4 ? 'first' : 'later'
    for (const [i, name] of processes.entries()) most[i]![quarter] = Math.max(most[i]![quarter], residentMib(name))
  }
  const seconds = (performance.now() - exporting) / 1_000
  console.log(`\nexported ${exported} entries in ${rounded(seconds, 1)} s: ${rounded(exported / seconds)} entries/s`)
  console.log(
    table(
      ['process', 'MiB before', 'at most in the first quarter', 'at most then'],
      processes.map((name, i) => [name, rounded(least[i]!), rounded(most[i]!.first), rounded(most[i]!.later)]),
    ),
  )
  console.log(`\n${platform()}`)
  if (most.some(({ first, later }) => later - first > MOST_GROWTH_MIB)) process.exitCode = 1
} finally {
  await system.stop()
}
