import { randomUUID } from 'node:crypto'
import type { Caller } from '@svc/grpc'
import type { Tx } from '@svc/transact'

/** What an order was created with: the rider it is for, and who says so. */
export interface AssignIntent {
  riderId: string
  isTest: boolean
  actor: Caller['actor']
  actingFor?: string | undefined
}

/** An intent that this process has for a while. */
export interface ClaimedIntent {
  id: string
  lease: string
  orderId: string
  merchantId: string
  tries: number
  wanted: AssignIntent
  /** Of the order as it is now. */
  riderId: string | null
  assignmentVersion: number
}

interface Row {
  id: string
  subject_id: string
  merchant_id: string
  tries: number
  payload: AssignIntent
  rider_id: string | null
  assignment_version: number
}

/**
 * Takes the assignment that has been due longest, or that of the given order, due or not, for `leaseMs`; null when each
 * is taken or none is left.
 */
export async function claimAssignIntent(tx: Tx, leaseMs: number, orderId?: string): Promise<ClaimedIntent | null> {
  const lease = randomUUID()
  const { rows } = await tx.sql<Row>(
    `UPDATE intent i SET lease = $1, lease_until = $2, tries = tries + 1
       FROM orders o
      WHERE o.id = i.subject_id AND i.id = (
        SELECT w.id FROM intent w JOIN orders wo ON wo.id = w.subject_id
         WHERE w.kind = 'assign' AND w.state = 'pending' AND (w.lease_until IS NULL OR w.lease_until <= $3)
           AND CASE WHEN $4::uuid IS NULL THEN w.next_at <= $3 ELSE w.subject_id = $4 END
         ORDER BY w.next_at LIMIT 1 FOR UPDATE OF w SKIP LOCKED)
     RETURNING i.id, i.subject_id, i.merchant_id, i.tries, i.payload, o.rider_id, o.assignment_version`,
    [lease, new Date(tx.now.getTime() + leaseMs), tx.now, orderId ?? null],
  )
  const [row] = rows
  if (!row) return null
  const { id, subject_id, merchant_id, tries, payload, rider_id, assignment_version } = row
  return {
    id,
    lease,
    orderId: subject_id,
    merchantId: merchant_id,
    tries,
    wanted: payload,
    riderId: rider_id,
    assignmentVersion: assignment_version,
  }
}

/** Ends a claimed assignment, unless its lease has passed to another process. */
export async function settleAssignIntent(
  tx: Tx,
  { id, lease }: ClaimedIntent,
  state: 'applied' | 'declined',
  outcome: object,
): Promise<void> {
  await tx.sql(
    'UPDATE intent SET state = $3, outcome = $4, lease = NULL, lease_until = NULL WHERE id = $1 AND lease = $2',
    [id, lease, state, JSON.stringify(outcome)],
  )
}

/** Lets a claimed assignment wait for another try. */
export async function postponeAssignIntent(tx: Tx, { id, lease }: ClaimedIntent, delayMs: number): Promise<void> {
  await tx.sql('UPDATE intent SET lease = NULL, lease_until = NULL, next_at = $3 WHERE id = $1 AND lease = $2', [
    id,
    lease,
    new Date(tx.now.getTime() + delayMs),
  ])
}
