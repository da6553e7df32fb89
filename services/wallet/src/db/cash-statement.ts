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

/** Pages further back are not read, and the count of more is not waited for. */
const TOTAL_LIMIT = 100_000

/** As the partial index says it: of each movement the line of the rider's side. */
const IS_CASH = `l.entry_type IN ('cash_collected', 'cash_remitted', 'cash_adjusted') AND l.account_version IS NOT NULL`

/** A page of what became of a merchant's cash, newest first, and the number of all. */
export async function listCashEntries(
  sql: Tx['sql'],
  { merchantId, isTest, riderId, since, until }: StatementFilter,
  { limit, offset }: Page,
): Promise<{ items: CashEntry[]; total: number }> {
  const values: unknown[] = [merchantId, isTest]
  const conditions = [`l.merchant_id = $1 AND l.is_test = $2 AND ${IS_CASH}`]
  // Accounts of riders are behind the wall of tenants: who it was stands with the operation.
  if (riderId !== undefined) conditions.push(`o.about ->> 'rider_id' = $${values.push(riderId)}`)
  if (since !== undefined) conditions.push(`l.created_at >= $${values.push(since)}`)
  if (until !== undefined) conditions.push(`l.created_at < $${values.push(until)}`)
  const where = conditions.join(' AND ')
  const counted = await sql<{ total: number }>(
    `SELECT count(*) AS total FROM (SELECT FROM ledger_lines l JOIN wallet_ops o USING (op_key) WHERE ${where} LIMIT ${TOTAL_LIMIT}) AS capped`,
    values,
  )
  const { rows } = await sql<CashEntry>(
    `SELECT l.op_key AS "opKey", l.entry_type AS "entryType", l.amount_minor AS "amountMinor", l.currency,
            l.order_id AS "orderId", o.about ->> 'rider_id' AS "riderId", o.about ->> 'remittance_id' AS "remittanceId",
            o.about ->> 'description' AS description, l.created_at AS "createdAt"
       FROM ledger_lines l JOIN wallet_ops o USING (op_key) WHERE ${where}
      ORDER BY l.created_at DESC, l.op_key DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, limit, offset],
  )
  return { items: rows, total: counted.rows[0]!.total }
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
