import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Settlement } from '../db/settlements.ts'
import type { Decision } from '../domain/operation.ts'
import { settlementPayload } from '../events.ts'

/**
 * Pays the rider of a live order or puts the commission into escrow, payer and payee in one transaction; at most once per
 * order, whatever keys it is asked under. A refusal is remembered under its key.
 */
export async function settleCommission(
  ctx: Context,
  settlement: Omit<Settlement, 'factId' | 'factPayload'>,
): Promise<Decision> {
  const factPayload = settlementPayload(settlement)
  const decision = await ctx.settlements({ ...settlement, factId: randomUUID(), factPayload })
  if (decision.outcome === 'applied' && !decision.isReplay) ctx.relay.wake()
  return decision
}
