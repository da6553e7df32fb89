import { ServiceError } from '@svc/errors'
import type { Scope } from '@svc/outbox'
import type { Order, RiderReport } from '../domain/order.ts'
import { announce } from '../use-cases/announce.ts'
import { once } from '../use-cases/once.ts'
import { lockRiderOrder, type RiderIdentity } from '../use-cases/rider-reach.ts'
import type { Act } from './act.ts'

export interface RiderStatus {
  orderId: string
  scope: Scope
  rider: RiderIdentity
  /** Makes repeats of one act one act. */
  key: string
  report: RiderReport
  /** Where and when the rider says it happened. */
  point: { lat: number; lng: number } | null
  occurredAt: string | null
}

/** A rider reports its own progress. */
export const riderStatus: Act<RiderStatus, Order> = {
  kind: 'rider_status',
  scope: ({ scope }) => scope,
  aim: ({ report }) => `rider:${report.status}`,
  find: (tx, { scope, rider, orderId }) => lockRiderOrder(tx, scope, rider, orderId),
  async perform({ ctx, tx, order, isSettled }, { key, report, point, occurredAt }) {
    const { status } = report
    const work = async () => {
      const podRequired = ctx.config.podRequiredForDelivery && !isSettled
      await announce(ctx, tx, order, order.advance(report, podRequired, tx.now))
      return { status, point, occurredAt }
    }
    const first = await once(tx, order, { kind: 'rider_status', key }, work, { isSettled })
    if (first.status !== status) throw new ServiceError('idempotency_conflict')
    return order
  },
}
