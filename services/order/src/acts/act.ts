import type { Caller } from '@svc/grpc'
import type { Scope, Tx } from '@svc/outbox'
import type { Context } from '../context.ts'
import type { Order } from '../domain/order.ts'

/** Who acts, as far as the record of an act needs it. */
export type Actor = Pick<Caller, 'kind' | 'actor' | 'actingFor' | 'ip' | 'requestId'>

export const actorOf = ({ kind, actor, actingFor, ip, requestId }: Caller): Actor => ({
  kind,
  actor,
  requestId,
  ...(actingFor !== undefined && { actingFor }),
  ...(ip !== undefined && { ip }),
})

/** One act being performed on its locked order. */
export interface Deed {
  ctx: Pick<Context, 'config' | 'logger'>
  tx: Tx
  order: Order
  /** Commissions of the merchant wait for a verified payment. */
  requirePaymentVerified: boolean
  /** The commission is settled: it was judged before and is only to be carried out. */
  isSettled: boolean
  /** Somebody else with the same aim has just done it. */
  isShared: boolean
}

/**
 * One way of changing an order. What it does is data, so that whoever finds it half done can finish it: with the
 * commission settled, in another process, later.
 */
export interface Act<Data extends { orderId: string }, Result> {
  kind: string
  scope(data: Data): Scope
  /** Two acts with the same aim on one order want the same: the second shares the outcome of the first. */
  aim(data: Data): string
  /** Leaves status, rider and payment as they are, and so need not wait for a settlement. */
  isHarmless?(data: Data): boolean
  /** Shows by itself that the payment was made, where commissions wait for that. */
  provesPayment?: boolean
  /** The order, locked; not_found where it is not the actor's. */
  find(tx: Tx, data: Data): Promise<Order>
  /** Judges and does it; throws what refuses it. */
  perform(deed: Deed, data: Data): Promise<Result>
  /** What is left of it when the commission was declined. */
  decline?(deed: Deed, data: Data): Promise<void>
}
