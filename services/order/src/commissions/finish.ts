import type { CommissionOutcome } from '@svc/contracts/wallet/v1/commission_service'
import { type BegunIntent, endIntent } from '@svc/intents'
import { metrics } from '@svc/telemetry'
import type { OrmTx } from '@svc/transact'
import type { Context } from '../context.ts'
import { lockOrder } from '../db/orders.ts'
import type { Settlement } from '../domain/commission.ts'
import type { Order } from '../domain/order.ts'

/** All that it takes to finish a settlement, in any process. */
export interface SettlementIntent {
  settlement: Settlement
  requirePaymentVerified: boolean
  /** The change that is made once the commission is settled: its kind, what it is the same as, its input. */
  act: { kind: string; aim: string; data: { orderId: string } }
}

/** What waits for a settlement, done to the locked order in the transaction that ends it. */
export interface Waiting<Result> {
  apply(tx: OrmTx, order: Order): Promise<Result>
  whenDeclined(tx: OrmTx, order: Order): Promise<void>
}

export type Finished<Result> =
  | { state: 'applied'; result: Result }
  | { state: 'declined' | 'aborted'; outcome: CommissionOutcome }
  /** Another process had finished it. */
  | { state: 'finished before' }

/**
 * Finishes a settlement that the wallet has decided: with the change, its facts and the end of the intent in one
 * transaction, or with the status untouched. Of any number that try, one does.
 */
export async function finishSettlement<Result>(
  ctx: Pick<Context, 'transact'>,
  { id, attempt, payload }: BegunIntent & { payload: SettlementIntent },
  outcome: CommissionOutcome,
  waiting: Waiting<Result>,
): Promise<Finished<Result>> {
  const state = stateOf(outcome)
  const finished = await ctx.transact('every tenant', async (tx): Promise<Finished<Result>> => {
    const order = await lockOrder(tx.em, 'every tenant', payload.settlement.orderId)
    if (!(await endIntent(tx, id, state, outcome))) return { state: 'finished before' }
    if (state !== 'applied') {
      order.endSettlement(null)
      if (state === 'declined') await waiting.whenDeclined(tx, order)
      return { state, outcome }
    }
    order.endSettlement({ state: outcome.state === 'held' ? 'held' : 'paid', attempt })
    return { state, result: await waiting.apply(tx, order) }
  })
  if (finished.state !== 'finished before') {
    metrics.counter('settlements_total', 'Settlements of commissions, by how they ended').add(1, { state })
  }
  return finished
}

function stateOf({ outcome }: CommissionOutcome): 'applied' | 'declined' | 'aborted' {
  return outcome === 'declined' || outcome === 'aborted' ? outcome : 'applied'
}
