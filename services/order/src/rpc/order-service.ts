import { OrderServiceService } from '@svc/contracts/order/v1/order_service'
import { anyone, either, merchant, operator, rpc, serving } from '@svc/grpc'
import { text } from '@svc/inputs'
import { z } from 'zod'
import { cancelOrder } from '../changes/cancel-order.ts'
import { updateOrder } from '../changes/update-order.ts'
import type { Context } from '../context.ts'
import { orderMessage } from '../messages/order.ts'
import { preflightMessage } from '../messages/preflight.ts'
import { trackedOrder } from '../messages/tracked-order.ts'
import { createOrder } from '../use-cases/create-order.ts'
import { getOrder } from '../use-cases/get-order.ts'
import { listOrders } from '../use-cases/list-orders.ts'
import { preflightOrder } from '../use-cases/preflight-order.ts'
import { trackOrder } from '../use-cases/track-order.ts'
import { orderQuery, orderUpdate } from './inputs.ts'

const readers = either(merchant('orders:read', 'orders:write'), operator('admin.orders.read'))

/** The rpcs of orders: operators act across tenants, merchants within their own. */
export const orderService = serving<Context>()(OrderServiceService, {
  createOrder: rpc({
    access: merchant('orders:write'),
    handle: (ctx, by, request) =>
      createOrder(ctx, by, {
        source: request.source,
        externalOrderId: request.external_order_id,
        rawPayloadJson: request.raw_payload_json,
        standardizedJson: request.standardized_json,
        quoteId: request.quote_id,
        idempotency: request.idempotency,
      }),
  }),

  preflightOrder: rpc({
    access: merchant('orders:write'),
    handle: async (ctx, by, request) =>
      preflightMessage(
        await preflightOrder(ctx, by, {
          source: request.source,
          externalOrderId: request.external_order_id,
          rawPayloadJson: request.raw_payload_json,
          standardizedJson: request.standardized_json,
          quoteId: request.quote_id,
        }),
      ),
  }),

  getOrder: rpc({
    access: readers,
    handle: async (ctx, by, { id: orderId }) => ({
      order: orderMessage(await getOrder(ctx, by, { orderId }), ctx.config.trackingBaseUrl),
    }),
  }),

  listOrders: rpc({
    access: readers,
    input: orderQuery,
    handle: async (ctx, by, input) => {
      const { orders, nextCursor, ...page } = await listOrders(ctx, by, input)
      const messages = orders.map((order) => orderMessage(order, ctx.config.trackingBaseUrl))
      return { ...page, orders: messages, next_cursor: nextCursor }
    },
  }),

  updateOrder: rpc({
    access: merchant('orders:write'),
    input: orderUpdate,
    handle: async (ctx, by, input) => ({
      order: orderMessage(await updateOrder(ctx, by, input), ctx.config.trackingBaseUrl),
    }),
  }),

  cancelOrder: rpc({
    access: either(merchant('orders:write'), operator('admin.orders.write')),
    input: z.object({ id: z.string(), reason: text(512), notes: text(2000, 0).optional() }),
    handle: async (ctx, by, { id: orderId, reason, notes = null }) => {
      const { order, changed } = await cancelOrder(ctx, by, { orderId, reason, notes })
      return { order: orderMessage(order, ctx.config.trackingBaseUrl), already_cancelled: !changed }
    },
  }),

  trackOrder: rpc({
    access: anyone(),
    handle: async (ctx, by, request) => trackedOrder(await trackOrder(ctx, by, request)),
  }),
})
