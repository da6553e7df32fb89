import type { Caller } from '@svc/grpc'
import type { OrmTx, Scope } from '@svc/transact'
import type { Context } from '../context.ts'
import type { Order } from '../domain/order.ts'

/** Who makes a change, as far as its record needs it. */
export type Actor = Pick<Caller, 'kind' | 'actor' | 'actingFor' | 'ip' | 'requestId'>

export const actorOf = ({ kind, actor, actingFor, ip, requestId }: Caller): Actor => ({
  kind,
  actor,
  requestId,
  ...(actingFor !== undefined && { actingFor }),
  ...(ip !== undefined && { ip }),
})

/** The order of a change, locked until the transaction ends, and what is known of its commission. */
export interface Locked {
  ctx: Pick<Context, 'config' | 'logger'>
  tx: OrmTx
  order: Order
  /** Commissions of the merchant wait for a verified payment. */
  requirePaymentVerified: boolean
  /** The commission is settled: the change was judged before and is only to be carried out. */
  isSettled: boolean
  /** Another call that wanted the same has just done it. */
  isShared: boolean
}

/**
 * One way to alter an order. Its input is plain data, kept with a settlement that must come first, so that another
 * process can finish the change later.
 */
export interface Change<Input extends { orderId: string }, Result> {
  kind: string
  scope(input: Input): Scope
  /** Two calls want the same of one order where this is equal: the second shares the outcome of the first. */
  sameAs(input: Input): string
  /** Leaves status, rider and payment as they are, and so need not wait for a settlement. */
  isHarmless?(input: Input): boolean
  /** Shows by itself that the payment was made, where commissions wait for that. */
  provesPayment?: boolean
  /** The order, locked; not_found where the caller may not change it. */
  lock(tx: OrmTx, input: Input): Promise<Order>
  /** Judges and makes the change; throws what refuses it. */
  apply(on: Locked, input: Input): Promise<Result>
  /** What is left of it when the commission was declined. */
  whenDeclined?(on: Locked, input: Input): Promise<void>
}
