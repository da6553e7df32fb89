import { randomUUID } from 'node:crypto'
import { openDatabase, SettledTotals, Totals } from '@svc/database'
import { testDatabase } from '@svc/testing'
import { createReads, createTransact } from '@svc/transact'
import pg from 'pg'
import { listEntries, listEscrow } from '../../services/wallet/src/db/ledger-entries.ts'
import { migrations } from '../../services/wallet/src/db/migrations/index.ts'
import { findWallet } from '../../services/wallet/src/db/wallets.ts'
import { percentile, platform, rounded, table } from './report.ts'

/**
 * Milliseconds of a page of a statement, newest and deep, and of the escrow ledger, in a ledger of so many lines: half of
 * them one merchant's, the rest spread over a thousand.
 *
 *   node --conditions=source tests/bench/statements.ts [lines]
 */
const lines = Number(process.argv[2] ?? 10_000_000)
const operations = lines / 2
const big = randomUUID()
const PAGES = 200
const ESCROW_SHARE = 100

const own = await testDatabase('wallet', migrations)
const owner = new pg.Client({ connectionString: own.ownerUrl })
await owner.connect()

/** As settlements would leave them, but without their checks, which would take hours; every hundredth is in escrow. */
async function fill(): Promise<void> {
  await owner.query(`
    ALTER TABLE ledger_lines DISABLE TRIGGER USER; ALTER TABLE ledger_lines DROP CONSTRAINT ledger_lines_op_key_fkey;
    ALTER TABLE ledger_lines NO FORCE ROW LEVEL SECURITY; ALTER TABLE wallet_ops NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE accounts NO FORCE ROW LEVEL SECURITY;
    CREATE TEMP TABLE op AS
      SELECT n, 'commission:' || gen_random_uuid() || ':1' AS op_key, gen_random_uuid() AS order_id, n % 2 = 0 AS is_big,
             CASE WHEN n % 2 = 0 THEN '${big}'::uuid
                  ELSE ('00000000-0000-4000-8000-' || lpad((n / 2 % 1000)::text, 12, '0'))::uuid END AS merchant_id,
             CASE WHEN n % 2 = 0 THEN n / 2 + 1 ELSE n / 2000 + 1 END AS version,
             now() - (${operations} - n) * interval '1 second' AS at
        FROM generate_series(0, ${operations} - 1) AS n;
    INSERT INTO accounts (owner_kind, owner_id, purpose, currency, is_test, floor_minor, version)
      SELECT 'merchant', merchant_id, p::account_purpose, 'NGN', false, 0, CASE p WHEN 'available' THEN max(version) ELSE 0 END
        FROM op, (VALUES ('available'), ('held')) AS v (p) GROUP BY merchant_id, p;
    INSERT INTO wallet_ops (op_key, request_hash, kind, subject_id, merchant_id, is_test, outcome, about, created_at)
      SELECT op_key, '', 'commission', order_id, merchant_id, false, 'applied', '{}', at FROM op;
    INSERT INTO ledger_lines (op_key, line_no, account_id, merchant_id, is_test, currency, entry_type, amount_minor,
                              balance_after_minor, account_version, order_id, created_at)
      SELECT op_key, 1, a.id, op.merchant_id, false, 'NGN', 'commission_debit', -5, 0, op.version, order_id, at
        FROM op JOIN accounts a ON a.owner_id = op.merchant_id AND a.purpose = 'available' ORDER BY n;
    INSERT INTO ledger_lines (op_key, line_no, account_id, merchant_id, is_test, currency, entry_type, amount_minor,
                              order_id, created_at)
      SELECT op_key, 2, gen_random_uuid(), merchant_id, false, 'NGN',
             CASE WHEN n % ${ESCROW_SHARE} = 0 THEN 'commission_hold' ELSE 'commission_credit' END::entry_type, 5, order_id, at
        FROM op ORDER BY n;
    ALTER TABLE ledger_lines FORCE ROW LEVEL SECURITY; ALTER TABLE wallet_ops FORCE ROW LEVEL SECURITY;
    ALTER TABLE accounts FORCE ROW LEVEL SECURITY;`)
  await owner.query('VACUUM ANALYZE ledger_lines, wallet_ops, accounts')
}

await fill()
await owner.end()
const database = await openDatabase({
  name: 'wallet',
  url: own.url,
  workerUrl: own.workerUrl,
  migrations,
})
const transact = createTransact(database, { wake() {} })
const tenant = { merchantId: big, isTest: false }

async function timed(work: (offset: number) => Promise<number>): Promise<[p50: number, p99: number]> {
  const times: number[] = []
  for (let page = 0; page < PAGES; page++) {
    const before = performance.now()
    if ((await work(page)) === 0) throw new Error('an empty page says nothing')
    times.push(performance.now() - before)
  }
  return [rounded(percentile(times, 0.5), 1), rounded(percentile(times, 0.99), 1)]
}

const statement = (offset: number) =>
  transact(tenant, async (tx) => {
    const wallet = await findWallet(tx.sql, { kind: 'merchant', id: big }, false)
    return (await listEntries(tx.sql, wallet!, { limit: 50, offset })).length
  })
const lists = { reads: createReads(database), totals: new Totals(), settledTotals: new SettledTotals() }
const escrow = async (offset: number) => (await listEscrow(lists, tenant, {}, { limit: 50, offset })).items.length

try {
  const rows = [
    ['newest page of a statement', ...(await timed((page) => statement(page * 50)))],
    ['page in its middle', ...(await timed((page) => statement(Math.floor(operations / 4) + page * 50)))],
    [
      `newest page of ${rounded(operations / ESCROW_SHARE)} escrow entries, counted`,
      ...(await timed((page) => escrow(page * 5))),
    ],
  ]
  console.log(platform())
  console.log(`${lines} lines`)
  console.log(table(['page', 'p50 ms', 'p99 ms'], rows))
} finally {
  await database.close()
  await own.drop()
}
