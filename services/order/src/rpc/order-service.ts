import type { OrderServiceService } from '@svc/contracts/order/v1/order_service'
import { type Call, type Handlers, requireAdmin, requireMerchant } from '@svc/grpc'
import type { Scope } from '@svc/outbox'
import type { Context } from '../context.ts'
import { orderMessage } from '../messages/order.ts'
import { trackedOrder } from '../messages/tracked-order.ts'
import { cancelOrder } from '../use-cases/cancel-order.ts'
import { createOrder } from '../use-cases/create-order.ts'
import { getOrder } from '../use-cases/get-order.ts'
import { listOrders } from '../use-cases/list-orders.ts'
import { trackOrder } from '../use-cases/track-order.ts'
import { updateOrder } from '../use-cases/update-order.ts'
import { requireReader } from './require-reader.ts'

/** Operators act across tenants, merchants within their own; anyone else is refused. */
function readScope(call: Call): Scope {
  if (call.caller.kind !== 'admin') return requireReader(call)
  requireAdmin(call, 'admin.orders.read')
  return 'every tenant'
}

function cancelScope(call: Call): Scope {
  if (call.caller.kind !== 'admin') return requireMerchant(call, 'orders:write')
  requireAdmin(call, 'admin.orders.write')
  return 'every tenant'
}

/** The rpcs of orders: messages in, use case, messages out. */
export function orderService(ctx: Context): Handlers<typeof OrderServiceService> {
  const { trackingBaseUrl } = ctx.config
  return {
    async createOrder(request, call) {
      requireMerchant(call, 'orders:write')
      const { source, external_order_id, raw_payload_json, standardized_json, idempotency, quote_id } = request
      const creation = {
        source,
        externalOrderId: external_order_id,
        rawPayloadJson: raw_payload_json,
        standardizedJson: standardized_json,
        quoteId: quote_id,
      }
      return createOrder(ctx, call.caller, creation, idempotency)
    },

    async getOrder({ id }, call) {
      return { order: orderMessage(await getOrder(ctx, readScope(call), id), trackingBaseUrl) }
    },

    async listOrders(request, call) {
      const scope = readScope(call)
      const { limit, offset, cursor } = request
      const filter = {
        merchantId: scope === 'every tenant' ? request.merchant_id : undefined,
        source: request.source,
        externalOrderId: request.external_order_id,
        isTest: request.is_test,
        status: request.status,
        paymentVerified: request.payment_verified,
      }
      const { orders, nextCursor, ...page } = await listOrders(ctx, scope, filter, { limit, offset, cursor })
      return { ...page, orders: orders.map((order) => orderMessage(order, trackingBaseUrl)), next_cursor: nextCursor }
    },

    async updateOrder({ id, status, payment_verified, expected_status }, call) {
      requireMerchant(call, 'orders:write')
      const changes = { status, paymentVerified: payment_verified, expectedStatus: expected_status }
      return { order: orderMessage(await updateOrder(ctx, call.caller, id, changes), trackingBaseUrl) }
    },

    async cancelOrder({ id, reason, notes }, call) {
      const input = { id, reason, notes: notes ?? null }
      const { order, changed } = await cancelOrder(ctx, call.caller, cancelScope(call), input)
      return { order: orderMessage(order, trackingBaseUrl), already_cancelled: !changed }
    },

    async trackOrder({ token }) {
      return trackedOrder(await trackOrder(ctx, token))
    },
  }
}
