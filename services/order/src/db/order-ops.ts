import { ServiceError } from '@svc/errors'
import type { Tx } from '@svc/transact'

export type OpKind = 'assignment' | 'rider_status' | 'proof' | 'progress'

/** What was decided when a change with this key first came; a repeat is answered by it. */
interface OrderOp<Outcome> {
  key: string
  kind: OpKind
  orderId: string
  /** Of the order: what another merchant's orders were changed under is no concern of it. */
  merchantId: string
  outcome: Outcome
}

/**
 * The outcome kept for a key of the locked order; null when the change is new, idempotency_conflict when the key was used
 * for something else.
 */
export async function findOp<Outcome>(
  tx: Tx,
  { key, kind, orderId, merchantId }: Omit<OrderOp<Outcome>, 'outcome'>,
): Promise<Outcome | null> {
  const { rows } = await tx.sql<{ kind: string; order_id: string; outcome: Outcome }>(
    'SELECT kind, order_id, outcome FROM order_ops WHERE merchant_id = $1 AND op_key = $2',
    [merchantId, key],
  )
  const [row] = rows
  if (!row) return null
  if (row.kind !== kind || row.order_id !== orderId) throw new ServiceError('idempotency_conflict')
  return row.outcome
}

/**
 * Keeps the outcome of a change; idempotency_conflict when a concurrent change of another order has taken the key, unless
 * this one is due all the same.
 */
export async function keepOp<Outcome>(
  tx: Tx,
  { key, kind, orderId, merchantId, outcome }: OrderOp<Outcome>,
  isDue = false,
): Promise<void> {
  const { rowCount } = await tx.sql(
    `INSERT INTO order_ops (op_key, order_id, merchant_id, kind, outcome, created_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (merchant_id, op_key) DO NOTHING`,
    [key, orderId, merchantId, kind, JSON.stringify(outcome), tx.now],
  )
  if (rowCount !== 1 && !isDue) throw new ServiceError('idempotency_conflict')
}
