import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { SettledTotals, Totals } from '@svc/database'
import { countedReads, whateverSessionsDo } from '@svc/testing'
import { createReads } from '@svc/transact'
import type pg from 'pg'
import { countDeliveries } from '../src/db/billed-deliveries.ts'
import { listCashEntries } from '../src/db/cash-statement.ts'
import { listEscrow } from '../src/db/ledger-entries.ts'
import { startWallet, type TestWallet } from './start-wallet.ts'

let wallet: TestWallet
beforeAll(async () => {
  wallet = await startWallet()
})
afterAll(() => wallet?.stop())

const HOUR_MS = 3_600_000
const page = { limit: 5, offset: 0 }
const CYCLE = [new Date(Date.now() - 48 * HOUR_MS), new Date(Date.now() + 48 * HOUR_MS)] as const

type Session = Pick<pg.Client, 'query'> | Pick<pg.Pool, 'query'>
type Kind = 'commission_hold' | 'cash_collected'

/** Lines of a merchant that were written so long ago. */
const addLines = (session: Session, merchantId: string, entryType: Kind, count: number, age: string) =>
  session.query(
    `WITH op AS (
       INSERT INTO wallet_ops (op_key, request_hash, kind, subject_id, merchant_id, is_test, outcome, about, created_at)
       SELECT 'settled:' || id, '', $2, id::text, $1, false, 'applied', '{}', now() - $4::interval
         FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $3::int)) made RETURNING op_key, created_at)
     INSERT INTO ledger_lines (op_key, line_no, account_id, merchant_id, is_test, currency, entry_type, amount_minor,
                               account_version, order_id, created_at)
     SELECT op_key, side, gen_random_uuid(), $1, false, 'NGN', $2::entry_type, CASE side WHEN 1 THEN 1 ELSE -1 END,
            CASE side WHEN 1 THEN 1 END, gen_random_uuid(), created_at
       FROM op CROSS JOIN generate_series(1, 2) side`,
    [merchantId, entryType, count, age],
  )

/** Deliveries of a merchant that were stored so long ago, so late after they were made. */
const addDeliveries = (session: Session, merchantId: string, count: number, stored: string, late: string) =>
  session.query(
    `INSERT INTO billed_deliveries (order_id, merchant_id, delivered_at, stored_at)
     SELECT gen_random_uuid(), $1, now() - $3::interval - $4::interval, now() - $3::interval FROM generate_series(1, $2::int)`,
    [merchantId, count, stored, late],
  )

/** Lists of a merchant as a process has them that remembers what it counted, and how many rows each count has read. */
function listsOf(merchantId: string) {
  const tenant = { merchantId, isTest: false }
  const { counts, ...database } = countedReads(wallet.context.database)
  const reads = createReads(database)
  const sources = { reads, ...reads.in(tenant), totals: new Totals(), settledTotals: new SettledTotals() }
  return {
    counts,
    escrow: async () => (await listEscrow(sources, tenant, {}, page)).total,
    cash: async () => (await listCashEntries(sources, tenant, page, null)).total,
    deliveries: () => countDeliveries(sources, tenant, ...CYCLE),
  }
}

const LISTS = ['escrow', 'cash', 'deliveries'] as const

/** The same, counted row by row. */
async function counted(merchantId: string): Promise<number[]> {
  const lines = (entryType: Kind) =>
    `(SELECT count(*)::int FROM ledger_lines WHERE merchant_id = $1 AND entry_type = '${entryType}' AND amount_minor > 0)`
  const [row] = await wallet.sql<Record<(typeof LISTS)[number], number>>(
    `SELECT ${lines('commission_hold')} AS escrow, ${lines('cash_collected')} AS cash,
            (SELECT count(*)::int FROM billed_deliveries
              WHERE merchant_id = $1 AND delivered_at >= $2 AND delivered_at < $3) AS deliveries`,
    [merchantId, ...CYCLE],
  )
  return LISTS.map((list) => row![list])
}

test('totals that add to what was counted before are those of all rows, whatever is open, comes late or is undone', async () => {
  await whateverSessionsDo({
    workerUrl: wallet.database.workerUrl,
    async begin(first) {
      const merchantId = randomUUID()
      const lists = listsOf(merchantId)
      const add = async (session: Session, age: string) => {
        for (const entryType of ['commission_hold', 'cash_collected'] as const)
          await addLines(session, merchantId, entryType, 1, age)
        // As a fact that comes hours after what it tells.
        for (const late of ['0', '6 hours', '4 days']) await addDeliveries(session, merchantId, 1, age, late)
      }
      for (const age of ['3 days', '1 day', '6 minutes', '5 minutes', '4 minutes', '1 minute']) await add(first, age)
      return {
        add: (session) => add(session, '0'),
        async look() {
          const totals: number[] = []
          for (const list of LISTS) totals.push(await lists[list]())
          expect(totals).toEqual(await counted(merchantId))
        },
      }
    },
  })
})

test.each([
  ['escrow', 'commission_hold'],
  ['cash', 'cash_collected'],
] as const)('a line of %s that was counted is not counted again', async (list, entryType) => {
  const merchantId = randomUUID()
  const { counts, ...lists } = listsOf(merchantId)
  const { worker } = wallet.context.database
  await addLines(worker, merchantId, entryType, 40, '1 hour')
  await addLines(worker, merchantId, entryType, 2, '1 minute')
  expect(await lists[list]()).toBe(42)
  await addLines(worker, merchantId, entryType, 1, '0')
  expect(await lists[list]()).toBe(43)
  expect(counts).toEqual([42, 3])
})

test('a delivery of a cycle is counted once, and so is one whose fact comes hours after it', async () => {
  const merchantId = randomUUID()
  const { counts, deliveries } = listsOf(merchantId)
  const { worker } = wallet.context.database
  await addDeliveries(worker, merchantId, 40, '1 hour', '2 hours')
  await addDeliveries(worker, merchantId, 7, '1 hour', '4 days')
  expect(await deliveries()).toBe(40)
  await addDeliveries(worker, merchantId, 1, '0', '30 hours')
  expect(await deliveries()).toBe(41)
  expect(counts).toEqual([40, 1])
})
