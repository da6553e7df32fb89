import type { Context } from '../context.ts'
import { isShownWhileTracked, type RiderPosition, watchersOf } from '../domain/rider-position.ts'
import { riderLocation } from '../messages/rider-location.ts'

/** Tells the sockets of each rider that moved: one location per merchant that may watch; of the others nothing. */
export function publishMoves({ realtime }: Pick<Context, 'realtime'>, moved: readonly RiderPosition[]): void {
  for (const position of moved) {
    const locations = watchersOf(position).map((merchantId) => riderLocation(position, { merchantId, isTest: null }))
    if (locations.length === 0) continue
    const tracked = position.orders.filter(({ is_assigned, status }) => is_assigned && isShownWhileTracked(status))
    realtime.publish({
      $case: 'rider_moved',
      value: { locations, tracked_order_ids: tracked.map(({ order_id }) => order_id) },
    })
  }
}
