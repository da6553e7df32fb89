import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { decideRemittance, lockRemittance } from '../../db/cash-remittances.ts'
import { type Remittance, withdrawn } from '../../domain/cash.ts'
import { cashReach } from '../../domain/cash-reach.ts'
import { remittanceAudit } from '../../events.ts'

/** A rider takes back what it declared, as long as nobody has said a word about it. A repeat changes nothing. */
export async function withdrawRemittance(
  ctx: Pick<Context, 'transact'>,
  by: By,
  { id }: { id: string },
): Promise<Remittance> {
  return ctx.transact('every tenant', async (tx) => {
    const locked = await lockRemittance(tx, id, cashReach(by))
    const decision = withdrawn(locked.remittance)
    if (!decision) return locked.remittance
    const after = await decideRemittance(tx, locked, decision)
    tx.publish(remittanceAudit(by.caller, 'cash_remittance.withdraw', after))
    return after
  })
}
