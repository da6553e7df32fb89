import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { decideRemittance, lockRemittance, openlyDeclared } from '../../db/cash-remittances.ts'
import { type Remittance, requireDisputable } from '../../domain/cash.ts'
import { cashReach } from '../../domain/cash-reach.ts'
import { remittanceAudit } from '../../events.ts'

/** Either side contradicts what is declared, a rider what was confirmed as less; an operator decides. A repeat changes nothing. */
export async function disputeRemittance(
  ctx: Pick<Context, 'transact'>,
  by: By,
  { id, reason }: { id: string; reason: string },
): Promise<Remittance> {
  const reach = cashReach(by)
  return ctx.transact('every tenant', async (tx) => {
    const locked = await lockRemittance(tx, id, reach)
    const { remittance, account } = locked
    if (remittance.status === 'disputed') return remittance
    const undeclaredMinor = account.inHandMinor - (await openlyDeclared(tx, account.id)).minor
    requireDisputable(remittance, { by: reach.by, undeclaredMinor })
    const { receivedMinor } = remittance
    const after = await decideRemittance(tx, locked, { status: 'disputed', receivedMinor, reason })
    tx.publish(remittanceAudit(by.caller, 'cash_remittance.dispute', after))
    return after
  })
}
