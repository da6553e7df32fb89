import { randomUUID } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { CashReport } from '@svc/inputs'
import type { Scope } from '@svc/transact'
import { recordCash } from '../commissions/cash.ts'
import type { Context } from '../context.ts'
import { findOp } from '../db/order-ops.ts'
import { findRiderOrder, lockRiderOrder } from '../db/orders.ts'
import { NO_CASH_REPORT, requireSameCash } from '../domain/cash.ts'
import type { Order, RiderReport } from '../domain/order.ts'
import { type RiderIdentity, riderScope } from '../domain/rider-reach.ts'
import { announce } from './announce.ts'
import type { Change } from './change.ts'
import { makeChange } from './make-change.ts'
import { once } from './once.ts'

/** Where and when the rider says it happened. */
interface Whereabouts {
  point: { lat: number; lng: number } | null
  occurredAt: string | null
}

export interface RiderStatusInput extends RiderReport, Whereabouts {
  orderId: string
  /** Makes one of the repeats of an app that was offline. */
  clientEventId: string | null
  cash: CashReport
}

/**
 * The calling rider's own progress with an order, strictly in sequence and once per client_event_id. The status that the
 * order has already changes nothing. A photo is one that the rider uploaded, and of no other order.
 */
export async function updateRiderOrderStatus(ctx: Context, by: By, input: RiderStatusInput): Promise<Order> {
  const { actor, isTest, merchantId } = by.caller
  const scope = riderScope({ isTest, merchantId })
  if (!scope) throw new ServiceError('not_found')
  const { orderId, status, reason, photoStorageKey, clientEventId, point, occurredAt, cash } = input
  const change: RiderStatus = {
    orderId,
    scope,
    rider: { actor, isTest },
    key: `rider:${actor.id}:${clientEventId ?? randomUUID()}`,
    report: { status, reason, photoStorageKey },
    point,
    occurredAt,
    cash,
  }
  // Under no lock, and before anything is kept: what is no photo of the rider never stands in the order.
  if (photoStorageKey !== null && !(await isRepeat(ctx, change))) {
    await ctx.dispatch.claimPhoto(by, orderId, photoStorageKey)
  }
  return makeChange(ctx, riderStatus, change)
}

/** Whether the report was made before: it is answered as it was then, and its photo may be gone. */
const isRepeat = ({ transact }: Context, { scope, rider, orderId, key }: RiderStatus): Promise<boolean> =>
  transact(scope, async (tx) => {
    const { merchantId } = await findRiderOrder(tx.em, scope, rider, orderId)
    return (await findOp(tx, { kind: 'rider_status', key, orderId, merchantId })) !== null
  })

interface RiderStatus extends Whereabouts {
  orderId: string
  scope: Scope
  rider: RiderIdentity
  key: string
  report: RiderReport
  /** Absent in what the release before has begun. */
  cash?: CashReport
}

export const riderStatus: Change<RiderStatus, Order> = {
  kind: 'rider_status',
  scope: ({ scope }) => scope,
  sameAs: ({ report }) => `rider:${report.status}`,
  lock: (tx, { scope, rider, orderId }) => lockRiderOrder(tx.em, scope, rider, orderId),
  async apply({ ctx, tx, order, isSettled }, { key, report, point, occurredAt, cash = NO_CASH_REPORT }) {
    const { status } = report
    const work = async () => {
      const podRequired = ctx.config.podRequiredForDelivery && !isSettled
      const announcements = order.advance(report, podRequired, tx.now)
      // Once the commission is paid the order must go on: what was told first of the cash stands.
      if (!isSettled) requireSameCash(order.collectedCash(), cash)
      // Where nothing was paid, why the goods come back says why.
      const reason = cash.reason ?? (cash.collectedMinor === 0 ? report.reason : null)
      await recordCash(tx, order, status, { ...cash, reason })
      await announce(ctx, tx, order, announcements)
      return { status, point, occurredAt }
    }
    const first = await once(tx, order, { kind: 'rider_status', key }, work, { isSettled })
    if (first.status !== status) throw new ServiceError('idempotency_conflict')
    return order
  },
}
