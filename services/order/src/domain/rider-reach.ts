/** A rider as its token names it. */
export interface RiderIdentity {
  actor: { id: string }
  isTest: boolean | null
}

/**
 * Where the orders of a rider lie: a rider's live orders are those of every merchant; the shared sandbox rider has the
 * test orders of the merchant that its token is bound to, and none without one (null).
 */
export function riderScope({ isTest, merchantId }: { isTest: boolean | null; merchantId?: string | undefined }) {
  if (isTest !== true) return 'every tenant' as const
  return merchantId ? { merchantId, isTest: true } : null
}

/** Whether the order is the rider's, and of its environment. */
export const isRidersOrder = (order: { riderId: string | null; isTest: boolean }, rider: RiderIdentity): boolean =>
  order.riderId === rider.actor.id && order.isTest === (rider.isTest === true)
