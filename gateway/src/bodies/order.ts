import type { Point } from '@svc/contracts/common/v1/common'
import type { Order } from '@svc/contracts/order/v1/order'
import type { CancelOrderResponse } from '@svc/contracts/order/v1/order_service'
import { text } from '@svc/inputs'
import { order, orderOf, orNull, page } from '@svc/public-bodies'
import * as z from 'zod'

/** A reply that is one order. */
export const oneOrder = z.object({ order })

export const cancelBody = z.object({
  reason: text(512).meta({ example: 'customer_cancellation_requested' }),
  notes: text(2000, 0).optional(),
})

export const cancelledOrder = z.object({ order, already_cancelled: z.literal(true).optional() })

export const cancelledOrderOf = (cancelled: CancelOrderResponse) => ({
  order: orderOf(cancelled.order),
  already_cancelled: cancelled.already_cancelled || undefined,
})

const point = z
  .object({ type: z.literal('Point'), coordinates: z.tuple([z.number(), z.number()]) })
  .meta({ id: 'GeoPoint', description: 'GeoJSON: longitude, then latitude' })

/** One row of a list of orders. */
const orderRow = z
  .object({ ...order.shape, isTest: z.boolean(), pickup_geo: orNull(point), dropoff_geo: orNull(point) })
  .meta({ id: 'OrderRow' })

/** A page of orders, under the key of the route. */
export const orderRows = <K extends string>(name: K) => page(name, orderRow)

type Geo = z.input<typeof point>

const geo = (at: Point | undefined): Geo | null => (at ? { type: 'Point', coordinates: [at.lng, at.lat] } : null)

interface Filter {
  status?: string | undefined
  payment_verified?: boolean | undefined
}

/** The rows of a list; without points where it was filtered by what only the unified record holds. */
export function orderRowsOf(orders: readonly Order[], { status, payment_verified }: Filter) {
  const withPoints = status === undefined && payment_verified === undefined
  return orders.map((message) => ({
    ...orderOf(message),
    isTest: message.is_test,
    pickup_geo: withPoints ? geo(message.pickup) : null,
    dropoff_geo: withPoints ? geo(message.dropoff) : null,
  }))
}
