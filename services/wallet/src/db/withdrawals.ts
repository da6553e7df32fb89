import { ServiceError } from '@svc/errors'
import type { Page } from '@svc/inputs'
import type { Tx } from '@svc/outbox'
import type { Context } from '../context.ts'
import type { OwnerKind } from '../domain/operation.ts'
import type { WithdrawalStatus } from '../domain/withdrawal.ts'
import { withdrawalFact } from '../events.ts'
import { decided } from './decision.ts'

export interface WithdrawalRow {
  id: string
  owner_kind: OwnerKind
  owner_id: string
  payout_instrument_id: string
  bank_code: string
  account_last4: string
  recipient_code: string
  amount_minor: number
  currency: string
  status: WithdrawalStatus
  attempt: number
  provider_reference: string | null
  approvals: number
  reviewed_by: string | null
  reviewed_at: Date | null
  submitted_at: Date | null
  verify_at: Date | null
  paid_at: Date | null
  failure_reason: string | null
  version: number
  created_at: Date
}

/** What changes in the life of a withdrawal. */
type WithdrawalChanges = Partial<
  Pick<
    WithdrawalRow,
    | 'attempt'
    | 'provider_reference'
    | 'approvals'
    | 'reviewed_by'
    | 'reviewed_at'
    | 'submitted_at'
    | 'verify_at'
    | 'paid_at'
    | 'failure_reason'
  >
>

const SELECT = `SELECT w.*, i.bank_code, i.account_last4, i.recipient_code
  FROM withdrawals w JOIN payout_instruments i ON i.id = w.payout_instrument_id`

export interface NewWithdrawal {
  id: string
  ownerKind: OwnerKind
  ownerId: string
  payoutInstrumentId: string
  amountMinor: number
  currency: string
}

/** A withdrawal that waits for review, locked until the transaction ends. */
export async function insertWithdrawal(tx: Tx, added: NewWithdrawal): Promise<WithdrawalRow> {
  await tx.sql(
    `INSERT INTO withdrawals (id, owner_kind, owner_id, payout_instrument_id, amount_minor, currency, status)
     VALUES ($1, $2, $3, $4, $5, $6, 'pending_review')`,
    [added.id, added.ownerKind, added.ownerId, added.payoutInstrumentId, added.amountMinor, added.currency],
  )
  return (await lockWithdrawal(tx, added.id))!
}

/** The withdrawal, locked until the transaction ends: no other call decides about it meanwhile. */
export async function lockWithdrawal(tx: Tx, id: string): Promise<WithdrawalRow | null> {
  const { rows } = await tx.sql<WithdrawalRow>(`${SELECT} WHERE w.id = $1 FOR NO KEY UPDATE OF w`, [id])
  return rows[0] ?? null
}

/** Stores a withdrawal as it is now; the caller holds its lock. */
export async function storeWithdrawal(tx: Tx, row: WithdrawalRow): Promise<void> {
  await tx.sql(
    `UPDATE withdrawals SET status = $2, attempt = $3, provider_reference = $4, approvals = $5, reviewed_by = $6,
            reviewed_at = $7, submitted_at = $8, verify_at = $9, paid_at = $10, failure_reason = $11, version = $12
      WHERE id = $1`,
    [
      row.id,
      row.status,
      row.attempt,
      row.provider_reference,
      row.approvals,
      row.reviewed_by,
      row.reviewed_at,
      row.submitted_at,
      row.verify_at,
      row.paid_at,
      row.failure_reason,
      row.version,
    ],
  )
}

/** Puts a locked withdrawal into a status and announces it, as one version. */
export async function enterStatus(
  tx: Tx,
  before: WithdrawalRow,
  status: WithdrawalStatus,
  changes: WithdrawalChanges = {},
): Promise<WithdrawalRow> {
  const after = { ...before, ...changes, status, version: before.version + 1 }
  await storeWithdrawal(tx, after)
  tx.publish(withdrawalFact(after))
  return after
}

/** Decides about a withdrawal under its lock; throws not_found where there is none. */
export async function decideWithdrawal(
  ctx: Context,
  id: string,
  decide: (tx: Tx, withdrawal: WithdrawalRow) => Promise<WithdrawalRow>,
): Promise<WithdrawalRow> {
  const after = await decided(
    ctx.transact('every tenant', async (tx) => {
      const withdrawal = await lockWithdrawal(tx, id)
      if (!withdrawal) throw new ServiceError('not_found')
      return decide(tx, withdrawal)
    }),
  )
  ctx.failpoint('withdrawal.decided')
  return after
}

/** Records that an operator approved; false where the same one did before. */
export async function storeApproval(tx: Tx, withdrawalId: string, approvedBy: string): Promise<boolean> {
  const { rowCount } = await tx.sql(
    'INSERT INTO withdrawal_approvals (withdrawal_id, approved_by) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [withdrawalId, approvedBy],
  )
  return rowCount === 1
}

/** Withdrawals that the provider is to be asked about and no intent asks about, locked; those claimed by others are skipped. */
export async function claimUnverified(tx: Tx, intentKind: string, limit: number): Promise<WithdrawalRow[]> {
  const { rows } = await tx.sql<WithdrawalRow>(
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

/** Pages further back are not read, and the count of more is not waited for. */
const TOTAL_LIMIT = 100_000

/** A page of withdrawals, newest first, and the number of all that fit (at most TOTAL_LIMIT). */
export async function listWithdrawals(
  sql: Tx['sql'],
  { ownerKind, ownerId, status }: WithdrawalFilter,
  { limit, offset }: Page,
): Promise<{ items: WithdrawalRow[]; total: number }> {
  const values: unknown[] = []
  const conditions: string[] = ['true']
  if (ownerKind !== undefined) conditions.push(`w.owner_kind = $${values.push(ownerKind)}`)
  if (ownerId !== undefined) conditions.push(`w.owner_id = $${values.push(ownerId)}`)
  if (status !== undefined) conditions.push(`w.status = $${values.push(status)}`)
  const where = conditions.join(' AND ')
  const counted = await sql<{ total: number }>(
    `SELECT count(*) AS total FROM (SELECT FROM withdrawals w WHERE ${where} LIMIT ${TOTAL_LIMIT}) AS capped`,
    values,
  )
  const { rows } = await sql<WithdrawalRow>(
    `${SELECT} WHERE ${where} ORDER BY w.created_at DESC, w.id DESC
      LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, limit, offset],
  )
  return { items: rows, total: counted.rows[0]!.total }
}
