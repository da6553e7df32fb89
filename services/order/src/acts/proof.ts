import { ServiceError } from '@svc/errors'
import { lockOrder } from '../db/orders.ts'
import type { Order } from '../domain/order.ts'
import { isTerminal } from '../domain/order-status.ts'
import type { JsonObject } from '../domain/unified-record.ts'
import { orderAudit } from '../events.ts'
import { announce } from '../use-cases/announce.ts'
import { once } from '../use-cases/once.ts'
import type { Act, Actor, Deed } from './act.ts'

export interface Proof {
  orderId: string
  riderId: string
  opKey: string
  pod: JsonObject
  by: Actor
}

/** A verified proof of delivery: kept, and the configured status entered from any other. */
export const proof: Act<Proof, Order> = {
  kind: 'proof',
  scope: () => 'every tenant',
  aim: () => 'proof',
  provesPayment: true,
  find: (tx, { orderId }) => lockOrder(tx.em, 'every tenant', orderId),
  async perform(deed, { riderId, opKey, pod, by }) {
    const { ctx, tx, order, isSettled } = deed
    const { podVerifiedStatus } = ctx.config
    const work = async () => {
      if (order.riderId !== riderId) throw new ServiceError('not_found')
      const { status: before } = order
      await record(deed, pod, podVerifiedStatus === 'none' ? null : podVerifiedStatus)
      const { status } = order
      if (status !== before && isTerminal(before)) {
        tx.publish(orderAudit(by, order, 'order.status_override', { status: before }, { status }))
      }
      return { riderId, status }
    }
    await once(tx, order, { kind: 'proof', key: opKey }, work, { isSettled })
    return order
  },
  /** The goods did arrive: the proof stands, the rider may report the delivery once the wallet can bear it. */
  decline: (deed, { pod }) => record(deed, pod, null),
}

async function record({ ctx, tx, order, requirePaymentVerified }: Deed, pod: JsonObject, status: string | null) {
  if (requirePaymentVerified) order.markPayment(true, tx.now)
  await announce(ctx, tx, order, order.recordProof(pod, status, tx.now))
}
