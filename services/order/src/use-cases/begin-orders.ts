import type { OrmTx } from '@svc/transact'
import type { Context } from '../context.ts'
import { claimToBegin, deferBegin, markBegun, nextDrafts } from '../db/shipment-turns.ts'
import { newTrackingToken } from '../domain/new-order.ts'
import type { Order } from '../domain/order.ts'
import type { OrderTimes } from '../domain/order-times.ts'
import { defaultTimes, type Shipment } from '../domain/shipment.ts'
import { parseUnified } from '../domain/unified-record.ts'
import { orderFact } from '../events.ts'
import { complete } from '../shipments/complete.ts'

/** Orders that begin in one transaction: a crash repeats none of them and loses none. */
const AT_ONCE = 50

/**
 * Begins the next orders of the submitted shipment whose turn it is, in the order of their rows, each with its fact
 * order.created. False where no shipment has any left. One whose orders cannot be begun comes again later.
 */
export async function beginOrders(ctx: Pick<Context, 'config' | 'transact' | 'failpoint'>): Promise<boolean> {
  let begunId: string | null = null
  try {
    await ctx.transact('every tenant', async (tx) => {
      const shipment = await claimToBegin(tx)
      if (!shipment) return
      begunId = shipment.id
      await beginNext(ctx, tx, shipment)
    })
  } catch (error) {
    const failedId: string | null = begunId
    if (failedId !== null) await ctx.transact('every tenant', (tx) => deferBegin(tx, failedId))
    throw error
  }
  ctx.failpoint('orders told')
  return begunId !== null
}

async function beginNext(ctx: Pick<Context, 'config' | 'failpoint'>, tx: OrmTx, shipment: Shipment): Promise<void> {
  const drafts = await nextDrafts(tx.em, shipment.id, AT_ONCE)
  for (const draft of drafts) {
    const announced = draft.begin(newTrackingToken(), timesOf(shipment, draft), tx.now)
    tx.publish(orderFact(draft, announced, ctx.config.trackingBaseUrl))
  }
  ctx.failpoint('orders begun')
  if (drafts.length === AT_ONCE) return
  await markBegun(tx, shipment.id)
  await tx.em.flush()
  await complete(tx, shipment.id)
}

/** Its own times, or those that were settled at the submit. */
function timesOf({ defaultPickupAt }: Shipment, draft: Order): OrderTimes {
  const { standardized } = parseUnified(draft.unifiedJson)
  const isStated = (standardized.scheduled_pickup_at ?? null) !== null || defaultPickupAt === null
  const { scheduledPickupAt, deliveryWindowStart, deliveryWindowEnd } = draft
  return isStated ? { scheduledPickupAt, deliveryWindowStart, deliveryWindowEnd } : defaultTimes(defaultPickupAt)
}
