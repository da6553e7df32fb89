import { boundedCount } from '@svc/database'
import { ServiceError } from '@svc/errors'
import type { Page } from '@svc/inputs'
import type { Tx } from '@svc/transact'
import type { CashAccount } from '../domain/cash.ts'
import type { AdjustmentStatus, CashAdjustment } from '../domain/cash-adjustment.ts'
import { lockCashAccountById, moveCash } from './cash-accounts.ts'

const SELECT = `SELECT a.id, a.account_id AS "accountId", c.rider_id AS "riderId", c.merchant_id AS "merchantId", c.currency,
       a.status, a.amount_minor AS "amountMinor", a.reason, a.proposed_by AS "proposedBy", a.decided_by AS "decidedBy",
       a.created_at AS "createdAt", a.decided_at AS "decidedAt"
  FROM cash_adjustments a JOIN cash_accounts c ON c.id = a.account_id`

/** The adjustment; else not_found. */
export async function findAdjustment(sql: Tx['sql'], id: string): Promise<CashAdjustment> {
  const { rows } = await sql<CashAdjustment>(`${SELECT} WHERE a.id = $1`, [id])
  if (!rows[0]) throw new ServiceError('not_found')
  return rows[0]
}

/** An adjustment and its account, locked until the transaction ends: whoever decides holds the account. */
export async function lockAdjustment(
  tx: Tx,
  id: string,
): Promise<{ adjustment: CashAdjustment; account: CashAccount }> {
  const account = await lockCashAccountById(tx, (await findAdjustment(tx.sql, id)).accountId)
  return { account, adjustment: await findAdjustment(tx.sql, id) }
}

/** An adjustment that nobody has decided about; the caller holds the lock of the account. */
export async function insertAdjustment(
  tx: Tx,
  account: CashAccount,
  { amountMinor, reason, proposedBy }: Pick<CashAdjustment, 'amountMinor' | 'reason' | 'proposedBy'>,
): Promise<CashAdjustment> {
  const { rows } = await tx.sql<{ id: string }>(
    'INSERT INTO cash_adjustments (account_id, amount_minor, reason, proposed_by) VALUES ($1, $2, $3, $4) RETURNING id',
    [account.id, amountMinor, reason, proposedBy],
  )
  return findAdjustment(tx.sql, rows[0]!.id)
}

/** Stores what an operator decided, and moves the cash where it is applied; the caller holds the lock of the account. */
export async function decideAdjustment(
  tx: Tx,
  { account, adjustment }: { account: CashAccount; adjustment: CashAdjustment },
  { status, decidedBy }: { status: 'applied' | 'rejected'; decidedBy: string },
): Promise<CashAdjustment> {
  const { id, amountMinor, reason } = adjustment
  if (status === 'applied') {
    const opKey = `cash_adjustment:${id}`
    const { outcome } = await moveCash(tx, account, {
      opKey,
      subjectId: id,
      entryType: 'cash_adjusted',
      amountMinor,
      reason,
    })
    if (outcome !== 'applied')
      throw new ServiceError('invalid_state', { details: { in_hand_minor: account.inHandMinor } })
  }
  await tx.sql('UPDATE cash_adjustments SET status = $2, decided_by = $3, decided_at = app_now() WHERE id = $1', [
    id,
    status,
    decidedBy,
  ])
  return findAdjustment(tx.sql, id)
}

/** A page of adjustments, newest first, and the number of all that fit. */
export async function listAdjustments(
  sql: Tx['sql'],
  { status }: { status?: AdjustmentStatus | undefined },
  { limit, offset }: Page,
): Promise<{ items: CashAdjustment[]; total: number }> {
  const where = status === undefined ? 'true' : 'a.status = $1'
  const values = status === undefined ? [] : [status]
  const counted = await sql<{ total: number }>(boundedCount(`cash_adjustments a WHERE ${where}`), values)
  const { rows } = await sql<CashAdjustment>(
    `${SELECT} WHERE ${where} ORDER BY a.created_at DESC, a.id DESC
      LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, limit, offset],
  )
  return { items: rows, total: counted.rows[0]!.total }
}
