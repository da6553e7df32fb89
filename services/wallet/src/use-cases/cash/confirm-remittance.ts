import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { decideRemittance, lockRemittance } from '../../db/cash-remittances.ts'
import { confirmed, type Remittance } from '../../domain/cash.ts'
import { cashReach } from '../../domain/cash-reach.ts'
import { remittanceAudit } from '../../events.ts'

interface Receipt {
  id: string
  /** Absent: all of it. */
  receivedMinor?: number | undefined
  reason?: string | undefined
}

/** The merchant has the cash, or less of it: the rider has that much less in hand, once. */
export async function confirmRemittance(
  ctx: Pick<Context, 'transact' | 'failpoint'>,
  by: By,
  { id, ...receipt }: Receipt,
): Promise<Remittance> {
  const decided = await ctx.transact('every tenant', async (tx) => {
    const locked = await lockRemittance(tx, id, cashReach(by))
    const decision = confirmed(locked.remittance, receipt)
    if (!decision) return locked.remittance
    const after = await decideRemittance(tx, locked, decision)
    tx.publish(remittanceAudit(by.caller, 'cash_remittance.confirm', after))
    return after
  })
  ctx.failpoint('remittance decided')
  return decided
}
