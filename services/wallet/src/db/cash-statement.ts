import type { SettledTotals, Totals } from '@svc/database'
import type { Page } from '@svc/inputs'
import type { Tx } from '@svc/transact'
import type { CashEntry, CashTotal } from '../domain/cash.ts'

export interface StatementFilter {
  merchantId: string
  isTest: boolean
  riderId?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

/** As the partial index says it: of each movement the line of the rider's side. */
const IS_CASH = `l.entry_type IN ('cash_collected', 'cash_remitted', 'cash_adjusted') AND l.account_version IS NOT NULL`

const LINE = 'l.op_key, l.entry_type, l.amount_minor, l.currency, l.order_id, l.created_at'

/**
 * The ledger's accounts of a rider's cash of this merchant, one per currency. Read as the worker: which rider an account
 * of cash is of lies behind the wall of tenants.
 */
export async function cashAccountIdsOf(
  sql: Tx['sql'],
  { merchantId, isTest, riderId }: Pick<StatementFilter, 'merchantId' | 'isTest'> & { riderId: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>(
    `SELECT a.id FROM cash_accounts c JOIN accounts a ON a.owner_kind = 'cash' AND a.owner_id = c.id
      WHERE c.merchant_id = $1 AND c.is_test = $2 AND c.rider_id = $3 ORDER BY a.id`,
    [merchantId, isTest, riderId],
  )
  return rows.map(({ id }) => id)
}

/**
 * A page of what became of a merchant's cash, newest first, and the number of all; of these accounts alone where they are
 * given. Only the lines of the page are joined with their operations.
 */
export async function listCashEntries(
  { sql, totals, settledTotals }: Pick<Tx, 'sql'> & { totals: Totals; settledTotals: SettledTotals },
  { merchantId, isTest, since, until }: StatementFilter,
  { limit, offset }: Page,
  accountIds: readonly string[] | null,
): Promise<{ items: CashEntry[]; total: number }> {
  const values: unknown[] = [merchantId, isTest]
  const conditions = [`l.merchant_id = $1 AND l.is_test = $2 AND ${IS_CASH}`]
  if (since !== undefined) conditions.push(`l.created_at >= $${values.push(since)}`)
  if (until !== undefined) conditions.push(`l.created_at < $${values.push(until)}`)
  const where = conditions.join(' AND ')
  const isWanted = accountIds === null ? '' : `AND l.account_id = ANY ($${values.push(accountIds)})`
  const list = { found: `ledger_lines l WHERE ${where} ${isWanted}`, params: [...values] }
  const counting = totals.of({ merchantId, isTest }, list.found, list.params, settledTotals.of(list))
  const [count] = counting.statements
  const counted = count && (await sql<object>(count.text, count.params)).rows[0]
  const ids = `$${values.length}`
  const [most, skipped, upTo] = [limit, offset, limit + offset].map((value) => `$${values.push(value)}`)
  const lines =
    accountIds === null
      ? `SELECT ${LINE} FROM ledger_lines l WHERE ${where} ORDER BY l.created_at DESC, l.op_key DESC LIMIT ${most} OFFSET ${skipped}`
      : // Each account is one range of the index; a list of accounts would be read to its end and sorted.
        `SELECT l.* FROM unnest(${ids}::uuid[]) AS wanted (account_id) CROSS JOIN LATERAL (
           SELECT ${LINE} FROM ledger_lines l WHERE l.account_id = wanted.account_id AND ${where}
            ORDER BY l.created_at DESC, l.op_key DESC LIMIT ${upTo}) AS l
          ORDER BY l.created_at DESC, l.op_key DESC LIMIT ${most} OFFSET ${skipped}`
  const { rows } = await sql<CashEntry>(
    `SELECT l.op_key AS "opKey", l.entry_type AS "entryType", l.amount_minor AS "amountMinor", l.currency,
            l.order_id AS "orderId", o.about ->> 'rider_id' AS "riderId", o.about ->> 'remittance_id' AS "remittanceId",
            o.about ->> 'description' AS description, l.created_at AS "createdAt"
       FROM (${lines}) AS l JOIN wallet_ops o USING (op_key) ORDER BY l.created_at DESC, l.op_key DESC`,
    accountIds === null ? values.slice(0, -1) : values,
  )
  return { items: rows, total: counting.total(counted) }
}

/** The sums of a merchant's cash accounts, by currency. */
export async function cashTotals(
  sql: Tx['sql'],
  { merchantId, isTest, riderId }: StatementFilter,
): Promise<CashTotal[]> {
  const { rows } = await sql<CashTotal>(
    `SELECT currency, sum(in_hand_minor)::bigint AS "inHandMinor", sum(collected_minor)::bigint AS "collectedMinor",
            sum(remitted_minor)::bigint AS "remittedMinor", sum(adjusted_minor)::bigint AS "adjustedMinor"
       FROM cash_accounts WHERE merchant_id = $1 AND is_test = $2 AND ($3::uuid IS NULL OR rider_id = $3)
      GROUP BY currency ORDER BY currency`,
    [merchantId, isTest, riderId ?? null],
  )
  return rows
}
