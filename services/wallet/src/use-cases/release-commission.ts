import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { captureHold } from '../db/holds.ts'
import type { Decision } from '../domain/operation.ts'
import { commissionSettledFact } from '../events.ts'

export interface EscrowedCommission {
  opKey: string
  orderId: string
  merchantId: string
}

/** Pays the rider what lies in escrow for the order; declined where nothing does. */
export async function releaseCommission(ctx: Context, _by: By, commission: EscrowedCommission): Promise<Decision> {
  const { opKey, orderId } = commission
  const capture = {
    opKey,
    subject: { kind: 'commission', id: orderId },
    kind: 'commission',
    partId: orderId,
    amountMinor: null,
    riderId: null,
    debitType: 'commission_released',
    creditType: 'commission_credit',
  } as const
  const fact = commissionSettledFact(commission)
  return ctx.transact('every tenant', (tx) => captureHold(tx, capture, fact)).finally(ctx.relay.wake)
}
