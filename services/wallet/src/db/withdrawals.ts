import { boundedCount, type Database } from '@svc/database'
import { ServiceError } from '@svc/errors'
import type { Page } from '@svc/inputs'
import type { Tx } from '@svc/transact'
import type { Context } from '../context.ts'
import type { OwnerKind } from '../domain/operation.ts'
import { entered, type Withdrawal, type WithdrawalChanges, type WithdrawalStatus } from '../domain/withdrawal.ts'
import { withdrawalFact } from '../events.ts'

const SELECT = `SELECT w.id, w.owner_kind AS "ownerKind", w.owner_id AS "ownerId", w.payout_instrument_id AS "payoutInstrumentId",
       i.bank_code AS "bankCode", i.account_last4 AS "accountLast4", i.recipient_code AS "recipientCode",
       w.amount_minor AS "amountMinor", w.currency, w.status, w.attempt, w.provider_reference AS "providerReference",
       w.approvals, w.reviewed_by AS "reviewedBy", w.reviewed_at AS "reviewedAt", w.submitted_at AS "submittedAt",
       w.verify_at AS "verifyAt", w.paid_at AS "paidAt", w.failure_reason AS "failureReason", w.version,
       w.created_at AS "createdAt"
  FROM withdrawals w JOIN payout_instruments i ON i.id = w.payout_instrument_id`

interface NewWithdrawal {
  id: string
  ownerKind: OwnerKind
  ownerId: string
  payoutInstrumentId: string
  amountMinor: number
  currency: string
}

/** A withdrawal that waits for review, locked until the transaction ends. */
export async function insertWithdrawal(tx: Tx, added: NewWithdrawal): Promise<Withdrawal> {
  await tx.sql(
    `INSERT INTO withdrawals (id, owner_kind, owner_id, payout_instrument_id, amount_minor, currency, status)
     VALUES ($1, $2, $3, $4, $5, $6, 'pending_review')`,
    [added.id, added.ownerKind, added.ownerId, added.payoutInstrumentId, added.amountMinor, added.currency],
  )
  return (await lockWithdrawal(tx, added.id))!
}

/** The withdrawal as it is, or null. */
export async function findWithdrawal(tx: Tx, id: string): Promise<Withdrawal | null> {
  const { rows } = await tx.sql<Withdrawal>(`${SELECT} WHERE w.id = $1`, [id])
  return rows[0] ?? null
}

/** The withdrawal, locked until the transaction ends: no other call decides about it meanwhile. */
export async function lockWithdrawal(tx: Tx, id: string): Promise<Withdrawal | null> {
  const { rows } = await tx.sql<Withdrawal>(`${SELECT} WHERE w.id = $1 FOR NO KEY UPDATE OF w`, [id])
  return rows[0] ?? null
}

/** Stores a withdrawal as it is now; the caller holds its lock. */
export async function storeWithdrawal(tx: Tx, row: Withdrawal): Promise<void> {
  await tx.sql(
    `UPDATE withdrawals SET status = $2, attempt = $3, provider_reference = $4, approvals = $5, reviewed_by = $6,
            reviewed_at = $7, submitted_at = $8, verify_at = $9, paid_at = $10, failure_reason = $11, version = $12
      WHERE id = $1`,
    [
      row.id,
      row.status,
      row.attempt,
      row.providerReference,
      row.approvals,
      row.reviewedBy,
      row.reviewedAt,
      row.submittedAt,
      row.verifyAt,
      row.paidAt,
      row.failureReason,
      row.version,
    ],
  )
}

/** Puts a locked withdrawal into a status and announces it, as one version. */
export async function enterStatus(
  tx: Tx,
  before: Withdrawal,
  status: WithdrawalStatus,
  changes: WithdrawalChanges = {},
): Promise<Withdrawal> {
  const after = entered(before, status, changes)
  await storeWithdrawal(tx, after)
  tx.publish(withdrawalFact(after))
  return after
}

/** Decides about a withdrawal under its lock; throws not_found where there is none. */
export async function decideWithdrawal(
  ctx: Context,
  id: string,
  decide: (tx: Tx, withdrawal: Withdrawal) => Promise<Withdrawal>,
): Promise<Withdrawal> {
  const after = await ctx.transact('every tenant', async (tx) => {
    const withdrawal = await lockWithdrawal(tx, id)
    if (!withdrawal) throw new ServiceError('not_found')
    return decide(tx, withdrawal)
  })
  ctx.failpoint('withdrawal.decided')
  return after
}

/** Who has approved. */
export async function approversOf(tx: Tx, withdrawalId: string): Promise<string[]> {
  const { rows } = await tx.sql<{ approved_by: string }>(
    'SELECT approved_by FROM withdrawal_approvals WHERE withdrawal_id = $1',
    [withdrawalId],
  )
  return rows.map(({ approved_by }) => approved_by)
}

/** Records that an operator approved. */
export async function storeApproval(tx: Tx, withdrawalId: string, approvedBy: string): Promise<void> {
  await tx.sql('INSERT INTO withdrawal_approvals (withdrawal_id, approved_by) VALUES ($1, $2)', [
    withdrawalId,
    approvedBy,
  ])
}

/** Decisions about what one payee gets wait for each other until the transaction ends. */
export async function lockPayee(tx: Tx, { ownerId, recipientCode }: Withdrawal): Promise<void> {
  await tx.sql(`SELECT lock_subjects('payee', ARRAY[$1::uuid, md5($2)::uuid])`, [ownerId, recipientCode])
}

/**
 * Whether with this withdrawal its owner, or the bank account that it goes to, would get more than the limit within 24
 * hours. What was let out counts from the time an operator did so, and no more once it has come back.
 */
export async function takesTwoOperators(tx: Tx, withdrawal: Withdrawal, limitMinor: number): Promise<boolean> {
  const { rows } = await tx.sql<{ isAbove: boolean }>(
    `SELECT $5 + coalesce(sum(w.amount_minor) FILTER (WHERE w.owner_kind = $2 AND w.owner_id = $3), 0) > $6
         OR $5 + coalesce(sum(w.amount_minor) FILTER (WHERE i.recipient_code = $4), 0) > $6 AS "isAbove"
       FROM (SELECT $2::owner_kind AS owner_kind, $3::uuid AS owner_id
              UNION SELECT p.owner_kind, p.owner_id FROM payout_instruments p WHERE p.recipient_code = $4) payee
       JOIN withdrawals w USING (owner_kind, owner_id) JOIN payout_instruments i ON i.id = w.payout_instrument_id
      WHERE w.id <> $1 AND w.status IN ('approved', 'processing', 'paid')
        AND w.reviewed_at > (SELECT app_now()) - interval '24 hours'`,
    [
      withdrawal.id,
      withdrawal.ownerKind,
      withdrawal.ownerId,
      withdrawal.recipientCode,
      withdrawal.amountMinor,
      limitMinor,
    ],
  )
  return rows[0]!.isAbove
}

/** Withdrawals that the provider is to be asked about and no intent asks about, locked; those claimed by others are skipped. */
export async function claimUnverified(tx: Tx, intentKind: string, limit: number): Promise<Withdrawal[]> {
  const { rows } = await tx.sql<Withdrawal>(
    `${SELECT} WHERE w.status IN ('processing', 'paid') AND w.verify_at <= (SELECT app_now())
        AND NOT EXISTS (SELECT FROM intent n WHERE n.kind = $1 AND n.subject_id = w.id AND n.state = 'pending')
      ORDER BY w.verify_at LIMIT $2 FOR NO KEY UPDATE OF w SKIP LOCKED`,
    [intentKind, limit],
  )
  return rows
}

export interface WithdrawalFilter {
  ownerKind?: OwnerKind | undefined
  ownerId?: string | undefined
  status?: WithdrawalStatus | undefined
}

/** A page of withdrawals, newest first, and the number of all that fit. */
export async function listWithdrawals(
  sql: Tx['sql'],
  { ownerKind, ownerId, status }: WithdrawalFilter,
  { limit, offset }: Page,
): Promise<{ items: Withdrawal[]; total: number }> {
  const values: unknown[] = []
  const conditions: string[] = ['true']
  if (ownerKind !== undefined) conditions.push(`w.owner_kind = $${values.push(ownerKind)}`)
  if (ownerId !== undefined) conditions.push(`w.owner_id = $${values.push(ownerId)}`)
  if (status !== undefined) conditions.push(`w.status = $${values.push(status)}`)
  const where = conditions.join(' AND ')
  const counted = await sql<{ total: number }>(boundedCount(`withdrawals w WHERE ${where}`), values)
  const { rows } = await sql<Withdrawal>(
    `${SELECT} WHERE ${where} ORDER BY w.created_at DESC, w.id DESC
      LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, limit, offset],
  )
  return { items: rows, total: counted.rows[0]!.total }
}

/** For how long the oldest payout has been on its way since an operator last let it go out; 0 where none is. */
export async function oldestPayoutSeconds(pool: Database['worker']): Promise<number> {
  const { rows } = await pool.query<{ seconds: number }>(
    `SELECT coalesce(max(extract(epoch FROM app_now() - reviewed_at)), 0)::float8 AS seconds
       FROM withdrawals WHERE status IN ('approved', 'processing')`,
  )
  return rows[0]!.seconds
}
