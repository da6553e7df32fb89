import type { Tx } from '@svc/transact'
import { findOp, keepOp, type OpKind } from '../db/order-ops.ts'
import type { Order } from '../domain/order.ts'

interface OnceOptions<Outcome> {
  /** What is not worth keeping may be done again. */
  isWorthKeeping?: (outcome: Outcome) => boolean
  /** The change was judged before and is due now, even where another order has used its key since. */
  isSettled?: boolean
}

/** Does the work on the locked order unless its key was used before; answers what the first time came to. */
export async function once<Outcome>(
  tx: Tx,
  order: Order,
  { kind, key }: { kind: OpKind; key: string },
  work: () => Promise<Outcome>,
  { isWorthKeeping = () => true, isSettled = false }: OnceOptions<Outcome> = {},
): Promise<Outcome> {
  const op = { kind, key, orderId: order.id, merchantId: order.merchantId }
  const earlier = isSettled ? null : await findOp<Outcome>(tx, op)
  if (earlier !== null) return earlier
  const outcome = await work()
  if (isWorthKeeping(outcome)) await keepOp(tx, { ...op, outcome }, isSettled)
  return outcome
}
