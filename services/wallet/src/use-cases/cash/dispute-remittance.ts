import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { decideRemittance, lockRemittance } from '../../db/cash-remittances.ts'
import { type Remittance, requireDisputable } from '../../domain/cash.ts'
import { cashReach } from '../../domain/cash-reach.ts'
import { remittanceAudit } from '../../events.ts'

/** A merchant contradicts what is declared, a rider what was confirmed as less; an operator decides. A repeat changes nothing. */
export async function disputeRemittance(
  ctx: Pick<Context, 'transact'>,
  by: By,
  { id, reason }: { id: string; reason: string },
): Promise<Remittance> {
  const reach = cashReach(by)
  return ctx.transact('every tenant', async (tx) => {
    const locked = await lockRemittance(tx, id, reach)
    const { remittance } = locked
    if (remittance.status === 'disputed') return remittance
    requireDisputable(remittance, reach.by)
    const { receivedMinor } = remittance
    const after = await decideRemittance(tx, locked, { status: 'disputed', receivedMinor, reason })
    tx.publish(remittanceAudit(by.caller, 'cash_remittance.dispute', after))
    return after
  })
}
