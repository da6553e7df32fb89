import type { Tx } from '@svc/outbox'
import { findOp, keepOp } from '../db/order-ops.ts'
import type { Order } from '../domain/order.ts'

type Kind = Parameters<typeof findOp>[1]['kind']

/**
 * Does the work on the locked order unless its key was used before; answers what the first time came to. What is not
 * worth keeping may be done again.
 */
export async function once<Outcome>(
  tx: Tx,
  order: Order,
  { kind, key }: { kind: Kind; key: string },
  work: () => Promise<Outcome>,
  isWorthKeeping: (outcome: Outcome) => boolean = () => true,
): Promise<Outcome> {
  const op = { kind, key, orderId: order.id }
  const earlier = await findOp<Outcome>(tx, op)
  if (earlier !== null) return earlier
  const outcome = await work()
  if (isWorthKeeping(outcome)) await keepOp(tx, order.merchantId, { ...op, outcome })
  return outcome
}
