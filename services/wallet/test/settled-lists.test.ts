import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { SettledTotals, Totals } from '@svc/database'
import type { Reads } from '@svc/transact'
import { countDeliveries } from '../src/db/billed-deliveries.ts'
import { listCashEntries } from '../src/db/cash-statement.ts'
import { listEscrow } from '../src/db/ledger-entries.ts'
import { startWallet, type TestWallet } from './start-wallet.ts'

let wallet: TestWallet
beforeAll(async () => {
  wallet = await startWallet()
})
afterAll(() => wallet.stop())

const HOUR_MS = 3_600_000
const page = { limit: 5, offset: 0 }

/** What a process counts by, and how many rows each of its counts has read. */
function process() {
  const read: number[] = []
  const noted = <Row extends object>(rows: Row[]): Row[] => {
    const [row] = rows
    if (row && 'since' in row) read.push(Number(row.since))
    return rows
  }
  const { reads } = wallet.context
  const counting: Reads = {
    ...reads,
    together: async (scope, statements) => (await reads.together(scope, statements)).map(noted),
    in: (scope) => {
      const { sql } = reads.in(scope)
      return {
        async sql<Row extends object>(text: string, values?: readonly unknown[]) {
          const answer = await sql<Row>(text, values)
          noted(answer.rows)
          return answer
        },
      }
    },
  }
  return { read, reads: counting, totals: new Totals(), settledTotals: new SettledTotals() }
}

/** Lines of a merchant that were written so long ago. */
const addLines = (merchantId: string, entryType: string, count: number, age: string) =>
  wallet.sql(
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

test.each([
  ['escrow', 'commission_hold'],
  ['cash', 'cash_collected'],
])('a line of %s that was counted is not counted again', async (of, entryType) => {
  const merchantId = randomUUID()
  const tenant = { merchantId, isTest: false }
  const { read, ...sources } = process()
  const total = async () => {
    const { sql } = sources.reads.in(tenant)
    const list =
      of === 'escrow'
        ? await listEscrow(sources, tenant, {}, page)
        : await listCashEntries({ ...sources, sql }, tenant, page, null)
    return list.total
  }
  await addLines(merchantId, entryType, 40, '1 hour')
  await addLines(merchantId, entryType, 2, '1 minute')
  expect(await total()).toBe(42)
  await addLines(merchantId, entryType, 1, '0')
  expect(await total()).toBe(43)
  expect(read).toEqual([42, 3])
})

test('a delivery of a cycle is counted once, and so is one whose fact comes hours after it', async () => {
  const merchantId = randomUUID()
  const { read, ...sources } = process()
  const [start, end] = [new Date(Date.now() - 48 * HOUR_MS), new Date(Date.now() + 48 * HOUR_MS)]
  const add = (count: number, delivered: string, stored: string) =>
    wallet.sql(
      `INSERT INTO billed_deliveries (order_id, merchant_id, delivered_at, stored_at)
       SELECT gen_random_uuid(), $1, now() - $3::interval, now() - $4::interval FROM generate_series(1, $2::int)`,
      [merchantId, count, delivered, stored],
    )
  const used = () => countDeliveries(sources, { merchantId, isTest: false }, start, end)
  await add(40, '3 hours', '1 hour')
  await add(7, '4 days', '1 hour')
  expect(await used()).toBe(40)
  await add(1, '30 hours', '0')
  expect(await used()).toBe(41)
  expect(read).toEqual([40, 1])
})
