import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { releaseHold } from '../db/holds.ts'
import type { Decision } from '../domain/operation.ts'
import { commissionReturnedFact } from '../events.ts'
import type { EscrowedCommission } from './release-commission.ts'

/**
 * Gives back what lies in escrow for the order; what was paid stays paid. A named attempt that was not decided never is
 * any more, however late it arrives.
 */
export async function voidCommission(
  ctx: Context,
  _by: By,
  { attemptOpKey, ...commission }: EscrowedCommission & { attemptOpKey?: string | undefined },
): Promise<Decision> {
  const { opKey, orderId } = commission
  const release = {
    opKey,
    subject: { kind: 'commission', id: orderId },
    attemptOpKey,
    entryType: 'commission_released',
    orderId,
  } as const
  const fact = commissionReturnedFact(commission)
  return ctx.transact('every tenant', (tx) => releaseHold(tx, release, fact)).finally(ctx.relay.wake)
}
