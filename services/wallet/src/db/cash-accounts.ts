import { boundedCount, type Database } from '@svc/database'
import type { Page } from '@svc/inputs'
import type { Tx } from '@svc/transact'
import type { CashAccount, CashFilter, CashKey, CashMove } from '../domain/cash.ts'
import { type Decision, POCKETS } from '../domain/operation.ts'
import { cashChangedFact } from '../events.ts'
import { postOperation } from './post-operation.ts'

const COLUMNS = `id, rider_id AS "riderId", merchant_id AS "merchantId", currency, is_test AS "isTest",
  collected_minor AS "collectedMinor", remitted_minor AS "remittedMinor", adjusted_minor AS "adjustedMinor",
  in_hand_minor AS "inHandMinor", held_since AS "heldSince", version`

/** The cash account, opened when it is touched first, locked until the transaction ends. */
export async function lockCashAccount(
  tx: Tx,
  { riderId, merchantId, currency, isTest }: CashKey,
): Promise<CashAccount> {
  await tx.sql(
    `INSERT INTO cash_accounts (rider_id, merchant_id, currency, is_test) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    [riderId, merchantId, currency, isTest],
  )
  return (await lockKnownCashAccount(tx, { riderId, merchantId, currency, isTest }))!
}

/** The cash account where there is one, locked until the transaction ends. */
export async function lockKnownCashAccount(
  tx: Tx,
  { riderId, merchantId, currency, isTest }: CashKey,
): Promise<CashAccount | null> {
  const { rows } = await tx.sql<CashAccount>(
    `SELECT ${COLUMNS} FROM cash_accounts
      WHERE rider_id = $1 AND merchant_id = $2 AND currency = $3 AND is_test = $4 FOR NO KEY UPDATE`,
    [riderId, merchantId, currency, isTest],
  )
  return rows[0] ?? null
}

/** A cash account that is known, locked until the transaction ends. */
export async function lockCashAccountById(tx: Tx, id: string): Promise<CashAccount> {
  const { rows } = await tx.sql<CashAccount>(`SELECT ${COLUMNS} FROM cash_accounts WHERE id = $1 FOR NO KEY UPDATE`, [
    id,
  ])
  return rows[0]!
}

const COLUMN_OF = {
  cash_collected: 'collected_minor',
  cash_remitted: 'remitted_minor',
  cash_adjusted: 'adjusted_minor',
} as const

/**
 * Changes what a rider has in hand, once for its key and its subject, with the fact of it; the caller holds the lock of
 * the account. The oldest cash is handed over first.
 */
export async function moveCash(tx: Tx, account: CashAccount, move: CashMove): Promise<Decision> {
  const { id, riderId, merchantId, currency, isTest } = account
  const { opKey, subjectId, entryType, amountMinor, orderId, remittanceId, reason } = move
  const decision = await postOperation(tx, {
    opKey,
    kind: entryType,
    subjectId,
    merchantId,
    isTest,
    currency,
    ...(orderId !== undefined && { orderId }),
    about: {
      rider_id: riderId,
      ...(remittanceId !== undefined && { remittance_id: remittanceId }),
      ...(reason !== undefined && { description: reason }),
    },
    postings: [
      { owner: POCKETS, purpose: 'available', entryType, amountMinor: -amountMinor },
      { owner: { kind: 'cash', id }, purpose: 'available', entryType, amountMinor },
    ],
  })
  if (decision.outcome !== 'applied' || decision.isReplay) return decision
  const column = COLUMN_OF[entryType]
  const { rows } = await tx.sql<CashAccount>(
    `UPDATE cash_accounts SET ${column} = ${column} + $2, version = version + 1, held_since = $3
      WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, entryType === 'cash_remitted' ? -amountMinor : amountMinor, await heldSince(tx, account, amountMinor)],
  )
  tx.publish(cashChangedFact(rows[0]!, { orderId, remittanceId }))
  return decision
}

/** Since when the oldest of what is in hand after the change is there; the lines of the change are written. */
async function heldSince(tx: Tx, { id, inHandMinor, heldSince: before }: CashAccount, amountMinor: number) {
  const after = inHandMinor + amountMinor
  if (after === 0) return null
  if (amountMinor > 0) return before ?? tx.now
  const { rows } = await tx.sql<{ since: Date }>(
    `SELECT min(created_at) AS since FROM (
       SELECT l.created_at, sum(l.amount_minor) OVER (ORDER BY l.account_version DESC) - l.amount_minor AS newer
         FROM ledger_lines l JOIN accounts a ON a.id = l.account_id
        WHERE a.owner_kind = 'cash' AND a.owner_id = $1 AND l.amount_minor > 0) AS taken
      WHERE newer < $2`,
    [id, after],
  )
  return rows[0]!.since
}

/** A page of cash accounts, the largest sums in hand first, and the number of all that fit. */
export async function listCashAccounts(
  sql: Tx['sql'],
  { riderId, merchantId, isTest }: CashFilter,
  { limit, offset }: Page,
): Promise<{ items: CashAccount[]; total: number }> {
  const values: unknown[] = [isTest]
  const conditions = ['is_test = $1']
  if (riderId !== undefined) conditions.push(`rider_id = $${values.push(riderId)}`)
  if (merchantId !== undefined) conditions.push(`merchant_id = $${values.push(merchantId)}`)
  const where = conditions.join(' AND ')
  const counted = await sql<{ total: number }>(boundedCount(`cash_accounts WHERE ${where}`), values)
  const { rows } = await sql<CashAccount>(
    `SELECT ${COLUMNS} FROM cash_accounts WHERE ${where} ORDER BY in_hand_minor DESC, id
      LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, limit, offset],
  )
  return { items: rows, total: counted.rows[0]!.total }
}

/** For how long the oldest live cash has been in a rider's hands; 0 where nobody has any. */
export async function cashHeldSeconds(pool: Database['worker']): Promise<number> {
  const { rows } = await pool.query<{ seconds: number }>(
    `SELECT coalesce((SELECT extract(epoch FROM app_now() - held_since) FROM cash_accounts
                       WHERE held_since IS NOT NULL AND NOT is_test ORDER BY held_since LIMIT 1), 0)::float8 AS seconds`,
  )
  return rows[0]!.seconds
}
