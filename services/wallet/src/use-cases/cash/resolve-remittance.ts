import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import {
  decidedWithinADay,
  decideRemittance,
  findRemittance,
  lockRemittance,
  openlyDeclared,
  proposeReceived,
} from '../../db/cash-remittances.ts'
import { type Remittance, resolved } from '../../domain/cash.ts'
import { remittanceAudit } from '../../events.ts'
import { isSecondPerson } from '../../peers/second-person.ts'

interface Resolution {
  id: string
  /** All that the merchant has of it. */
  receivedMinor: number
  reason: string
}

/**
 * An operator says what the merchant has in the end of a hand-over that is disputed or was confirmed as less. Where that
 * and what operators changed of the rider's cash within a day is more than the four-eyes limit, the first word is kept
 * and waits for a second person who says the same; another sum is a first word again.
 */
export async function resolveRemittance(
  ctx: Pick<Context, 'transact' | 'config' | 'operators'>,
  by: By,
  { id, ...resolution }: Resolution,
): Promise<Remittance> {
  const { caller } = by
  const first = await firstWord(ctx, by, { id, receivedMinor: resolution.receivedMinor })
  return ctx.transact('every tenant', async (tx) => {
    const locked = await lockRemittance(tx, id, {})
    const { remittance, account } = locked
    const undeclaredMinor = account.inHandMinor - (await openlyDeclared(tx, account.id)).minor
    const decision = resolved(remittance, { ...resolution, undeclaredMinor })
    if (!decision) return remittance
    const movedMinor = decision.receivedMinor - remittance.receivedMinor
    const takesTwo =
      movedMinor > 0 && movedMinor + (await decidedWithinADay(tx, account)) > ctx.config.fourEyesAboveMinor
    if (takesTwo && remittance.proposedMinor !== decision.receivedMinor) {
      const proposed = await proposeReceived(tx, id, decision.receivedMinor, caller.actor.id)
      tx.publish(remittanceAudit(caller, 'cash_remittance.resolve', { ...proposed, reason: decision.reason }))
      return proposed
    }
    if (takesTwo && !(first.isSecond && first.by === remittance.proposedBy))
      throw new ServiceError('second_approver_required')
    const after = await decideRemittance(tx, locked, decision)
    tx.publish(remittanceAudit(caller, 'cash_remittance.resolve', after))
    return after
  })
}

/** Who has said this sum before, and whether the caller is another person. */
async function firstWord(
  ctx: Pick<Context, 'transact' | 'operators'>,
  by: By,
  { id, receivedMinor }: Omit<Resolution, 'reason'>,
): Promise<{ by: string | null; isSecond: boolean }> {
  const seen = await ctx.transact('every tenant', (tx) => findRemittance(tx.sql, id))
  if (!seen?.proposedBy || !seen.proposedAt || seen.proposedMinor !== receivedMinor || seen.status === 'resolved')
    return { by: null, isSecond: false }
  const isSecond = await isSecondPerson(ctx, by, seen.proposedBy, { createdAt: seen.proposedAt })
  return { by: seen.proposedBy, isSecond }
}
