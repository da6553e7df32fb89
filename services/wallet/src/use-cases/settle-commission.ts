import { randomUUID } from 'node:crypto'
import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import type { Settlement } from '../db/settlements.ts'
import { type Decision, OPERATOR } from '../domain/operation.ts'
import { settlementPayload } from '../events.ts'

interface Earned extends Omit<Settlement, 'payer' | 'factId' | 'factPayload'> {
  payer: 'merchant' | 'operator'
}

/**
 * Pays the rider of a live order or puts the commission into escrow, payer and payee in one transaction; at most once per
 * order, whatever keys it is asked under. A refusal is remembered under its key.
 */
export async function settleCommission(ctx: Context, _by: By, earned: Earned): Promise<Decision> {
  const decision = await ctx.settlements({
    ...earned,
    payer: earned.payer === 'merchant' ? { kind: 'merchant', id: earned.merchantId } : OPERATOR,
    factId: randomUUID(),
    factPayload: settlementPayload(earned),
  })
  if (decision.outcome === 'applied' && !decision.isReplay) ctx.relay.wake()
  return decision
}
