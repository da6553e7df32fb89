import type { CommissionOutcome } from '@svc/contracts/wallet/v1/commission_service'
import { type BegunIntent, endIntent } from '@svc/outbox'
import { metrics } from '@svc/telemetry'
import type { Act } from '../acts/act.ts'
import type { Context } from '../context.ts'
import { lockOrder } from '../db/orders.ts'
import type { SettlementIntent } from './settlement-intent.ts'

export type Finished<Result> =
  | { state: 'applied'; result: Result }
  | { state: 'declined' | 'aborted'; outcome: CommissionOutcome }
  /** Somebody else had finished it. */
  | { state: 'finished before' }

/**
 * Ends a settlement that the wallet has decided: with the act, its facts and the end of the intent in one transaction,
 * or with the status untouched. Of any number that try, one does.
 */
export async function finishSettlement<Data extends { orderId: string }, Result>(
  ctx: Pick<Context, 'config' | 'transact' | 'logger'>,
  act: Act<Data, Result>,
  { id, attempt, payload }: BegunIntent & { payload: SettlementIntent },
  outcome: CommissionOutcome,
): Promise<Finished<Result>> {
  const state = stateOf(outcome)
  const data = payload.act.data as Data
  const finished = await ctx.transact('every tenant', async (tx): Promise<Finished<Result>> => {
    const order = await lockOrder(tx.em, 'every tenant', data.orderId)
    if (!(await endIntent(tx, id, state, outcome))) return { state: 'finished before' }
    const { requirePaymentVerified } = payload
    const deed = { ctx, tx, order, requirePaymentVerified, isSettled: true, isShared: false }
    if (state !== 'applied') {
      order.endSettlement(null)
      if (state === 'declined') await act.decline?.(deed, data)
      return { state, outcome }
    }
    order.endSettlement({ state: outcome.state === 'held' ? 'held' : 'paid', attempt })
    return { state, result: await act.perform(deed, data) }
  })
  if (finished.state !== 'finished before') {
    metrics.counter('settlements_total', 'Settlements of commissions, by how they ended').add(1, { state })
  }
  return finished
}

function stateOf({ outcome }: CommissionOutcome): 'applied' | 'declined' | 'aborted' {
  return outcome === 'declined' || outcome === 'aborted' ? outcome : 'applied'
}
