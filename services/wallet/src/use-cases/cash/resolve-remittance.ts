import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { decideRemittance, lockRemittance, resolvedWithinADay } from '../../db/cash-remittances.ts'
import { type Remittance, resolved } from '../../domain/cash.ts'
import { remittanceAudit } from '../../events.ts'

interface Resolution {
  id: string
  /** All that the merchant has of it. */
  receivedMinor: number
  reason: string
}

/**
 * An operator says what the merchant has in the end of a disputed hand-over. One person alone moves no more of a
 * rider's cash than the four-eyes limit within a day.
 */
export async function resolveRemittance(
  ctx: Pick<Context, 'transact' | 'config'>,
  by: By,
  { id, ...resolution }: Resolution,
): Promise<Remittance> {
  return ctx.transact('every tenant', async (tx) => {
    const locked = await lockRemittance(tx, id, {})
    const decision = resolved(locked.remittance, resolution)
    if (!decision) return locked.remittance
    const movedMinor = decision.receivedMinor - locked.remittance.receivedMinor
    if (movedMinor > 0 && movedMinor + (await resolvedWithinADay(tx, locked.account)) > ctx.config.fourEyesAboveMinor)
      throw new ServiceError('second_approver_required')
    const after = await decideRemittance(tx, locked, decision)
    tx.publish(remittanceAudit(by.caller, 'cash_remittance.resolve', after))
    return after
  })
}
