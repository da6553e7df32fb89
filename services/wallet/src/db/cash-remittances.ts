import { boundedCount } from '@svc/database'
import { ServiceError } from '@svc/errors'
import type { Page } from '@svc/inputs'
import type { Tx } from '@svc/transact'
import type { CashAccount, CashFilter, Remittance, RemittanceStatus } from '../domain/cash.ts'
import { lockCashAccountById, moveCash } from './cash-accounts.ts'

const SELECT = `SELECT r.id, r.account_id AS "accountId", c.rider_id AS "riderId", c.merchant_id AS "merchantId", c.currency,
       c.is_test AS "isTest", r.status, r.declared_minor AS "declaredMinor", r.received_minor AS "receivedMinor",
       r.declared_by AS "declaredBy", r.note, r.reason, r.created_at AS "createdAt", r.decided_at AS "decidedAt",
       r.proposed_minor AS "proposedMinor", r.proposed_by AS "proposedBy", r.proposed_at AS "proposedAt"
  FROM cash_remittances r JOIN cash_accounts c ON c.id = r.account_id`

/** What of an account is declared and not decided about, in how many; the caller holds the lock of the account. */
export async function openlyDeclared(tx: Tx, accountId: string): Promise<{ minor: number; remittances: number }> {
  const { rows } = await tx.sql<{ minor: number; remittances: number }>(
    `SELECT coalesce(sum(declared_minor - received_minor), 0)::bigint AS minor, count(*) AS remittances FROM cash_remittances
      WHERE account_id = $1 AND status IN ('declared', 'disputed')`,
    [accountId],
  )
  return rows[0]!
}

/**
 * What operators' words changed of the cash in a rider's hands within a day, up and down, of all merchants in all
 * currencies; such decisions about one rider wait for each other until the transaction ends.
 */
export async function decidedWithinADay(tx: Tx, { riderId, isTest }: CashAccount): Promise<number> {
  await tx.sql(`SELECT lock_subjects('cash_resolution', ARRAY[$1::uuid])`, [riderId])
  const { rows } = await tx.sql<{ minor: number }>(
    `SELECT least(resolved.minor + adjusted.minor, ${Number.MAX_SAFE_INTEGER})::bigint AS minor
       FROM (SELECT coalesce(sum(-l.amount_minor), 0) AS minor
               FROM cash_accounts c JOIN cash_remittances r ON r.account_id = c.id
               JOIN ledger_lines l ON l.op_key = 'remittance:' || r.id || ':resolved' AND l.account_version IS NOT NULL
              WHERE c.rider_id = $1 AND c.is_test = $2 AND r.status = 'resolved'
                AND r.decided_at > (SELECT app_now()) - interval '24 hours') AS resolved,
            (SELECT coalesce(sum(abs(a.amount_minor)), 0) AS minor
               FROM cash_accounts c JOIN cash_adjustments a ON a.account_id = c.id
              WHERE c.rider_id = $1 AND c.is_test = $2 AND a.status = 'applied'
                AND a.decided_at > (SELECT app_now()) - interval '24 hours') AS adjusted`,
    [riderId, isTest],
  )
  return rows[0]!.minor
}

/** A hand-over that waits for the merchant's word. */
export async function insertRemittance(
  tx: Tx,
  account: CashAccount,
  { amountMinor, declaredBy, note }: { amountMinor: number; declaredBy: 'rider' | 'merchant'; note: string | null },
): Promise<Remittance> {
  const { rows } = await tx.sql<{ id: string }>(
    `INSERT INTO cash_remittances (account_id, merchant_id, declared_minor, declared_by, note)
     VALUES ($1, $2, $3, $4, $5) RETURNING id`,
    [account.id, account.merchantId, amountMinor, declaredBy, note],
  )
  return (await findRemittance(tx.sql, rows[0]!.id))!
}

/** The remittance, or null. */
export async function findRemittance(sql: Tx['sql'], id: string): Promise<Remittance | null> {
  const { rows } = await sql<Remittance>(`${SELECT} WHERE r.id = $1`, [id])
  return rows[0] ?? null
}

/** A remittance that the filter lets through and its account, locked in that order of accounts before remittances; else not_found. */
export async function lockRemittance(
  tx: Tx,
  id: string,
  { riderId, merchantId, isTest }: Partial<CashFilter>,
): Promise<{ remittance: Remittance; account: CashAccount }> {
  const seen = await findRemittance(tx.sql, id)
  if (
    !seen ||
    (riderId !== undefined && seen.riderId !== riderId) ||
    (merchantId !== undefined && seen.merchantId !== merchantId) ||
    (isTest !== undefined && seen.isTest !== isTest)
  )
    throw new ServiceError('not_found')
  // Whoever decides about the remittance holds its account: what is read from now on stays.
  const account = await lockCashAccountById(tx, seen.accountId)
  return { account, remittance: (await findRemittance(tx.sql, id))! }
}

/** Stores what was decided, and moves what has arrived by it; throws invalid_state where the rider has less in hand. */
export async function decideRemittance(
  tx: Tx,
  { account, remittance }: { account: CashAccount; remittance: Remittance },
  decided: Pick<Remittance, 'status' | 'receivedMinor' | 'reason'>,
): Promise<Remittance> {
  const { id } = remittance
  const arrivedMinor = decided.receivedMinor - remittance.receivedMinor
  if (arrivedMinor > 0) {
    const { outcome } = await moveCash(tx, account, {
      opKey: `remittance:${id}:${decided.status}`,
      subjectId: `${id}:${decided.status}`,
      entryType: 'cash_remitted',
      amountMinor: -arrivedMinor,
      remittanceId: id,
    })
    if (outcome !== 'applied')
      throw new ServiceError('invalid_state', { details: { in_hand_minor: account.inHandMinor } })
  }
  await tx.sql(
    `UPDATE cash_remittances SET status = $2, received_minor = $3, reason = $4, decided_at = app_now() WHERE id = $1`,
    [id, decided.status, decided.receivedMinor, decided.reason],
  )
  return (await findRemittance(tx.sql, id))!
}

/** Stores what the first of two operators says that the merchant has; the caller holds the lock of the account. */
export async function proposeReceived(tx: Tx, id: string, receivedMinor: number, by: string): Promise<Remittance> {
  await tx.sql(
    'UPDATE cash_remittances SET proposed_minor = $2, proposed_by = $3, proposed_at = app_now() WHERE id = $1',
    [id, receivedMinor, by],
  )
  return (await findRemittance(tx.sql, id))!
}

/** A page of remittances, newest first, and the number of all that fit. */
export async function listRemittances(
  sql: Tx['sql'],
  { riderId, merchantId, isTest, status }: CashFilter & { status?: RemittanceStatus | undefined },
  { limit, offset }: Page,
): Promise<{ items: Remittance[]; total: number }> {
  const values: unknown[] = [isTest]
  // Rows from before the column say live of all: what their account says counts.
  const conditions = ['r.is_test = $1 AND c.is_test = $1']
  if (riderId !== undefined) conditions.push(`c.rider_id = $${values.push(riderId)}`)
  if (merchantId !== undefined) conditions.push(`r.merchant_id = $${values.push(merchantId)}`)
  if (status !== undefined) conditions.push(`r.status = $${values.push(status)}`)
  const where = conditions.join(' AND ')
  const counted = await sql<{ total: number }>(
    boundedCount(`cash_remittances r JOIN cash_accounts c ON c.id = r.account_id WHERE ${where}`),
    values,
  )
  const { rows } = await sql<Remittance>(
    `${SELECT} WHERE ${where} ORDER BY r.created_at DESC, r.id DESC
      LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, limit, offset],
  )
  return { items: rows, total: counted.rows[0]!.total }
}

/** As the partial index says it. */
const DIFFERS = `(r.status = 'disputed' OR (r.status = 'confirmed' AND r.received_minor < r.declared_minor))`

/** A page of live remittances of which something is missing or contradicted, the oldest first, and the number of all. */
export async function listDifferences(
  sql: Tx['sql'],
  { limit, offset }: Page,
): Promise<{ items: Remittance[]; total: number }> {
  // As in listRemittances: what their account says counts.
  const where = `r.is_test = false AND NOT c.is_test AND ${DIFFERS}`
  const counted = await sql<{ total: number }>(
    boundedCount(`cash_remittances r JOIN cash_accounts c ON c.id = r.account_id WHERE ${where}`),
  )
  const { rows } = await sql<Remittance>(`${SELECT} WHERE ${where} ORDER BY r.created_at, r.id LIMIT $1 OFFSET $2`, [
    limit,
    offset,
  ])
  return { items: rows, total: counted.rows[0]!.total }
}
