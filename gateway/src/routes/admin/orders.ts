import { booleanWord, paging, text, uuid } from '@svc/inputs'
import * as z from 'zod'
import { admin, reply, viewedRoute } from '../../http/route.ts'
import { cancelBody, cancelReply } from '../../schemas/cancel.ts'
import { order, orderRow } from '../../schemas/order.ts'
import { page } from '../../schemas/pieces.ts'
import { present } from '../../views/or-null.ts'
import { orderRowView, orderView } from '../../views/order.ts'

const tag = 'Orders of all merchants'

export const adminOrders = [
  viewedRoute({
    method: 'GET',
    path: '/v1/admin/orders',
    operationId: 'adminListOrders',
    tag,
    summary: 'List orders of all merchants, newest first',
    auth: admin('admin.orders.read'),
    query: {
      ...paging(),
      merchant_id: uuid.optional(),
      source: text(64, 0).optional(),
      external_order_id: text(512, 0).optional(),
      is_test: booleanWord.optional(),
      status: text(128, 0).optional(),
      payment_verified: booleanWord.optional(),
    },
    replies: { 200: page('items', orderRow) },
    errors: [],
    async handle({ query }, services) {
      const { orders, total, limit, offset } = await services.order.listOrders(query)
      const withPoints = query.status === undefined && query.payment_verified === undefined
      return reply(200, { items: orders.map((row) => orderRowView(row, withPoints)), total, limit, offset })
    },
  }),
  viewedRoute({
    method: 'GET',
    path: '/v1/admin/orders/{orderId}',
    operationId: 'adminGetOrder',
    tag,
    summary: 'Read an order of any merchant',
    auth: admin('admin.orders.read'),
    params: { orderId: uuid },
    replies: { 200: z.strictObject({ order }) },
    errors: ['not_found'],
    async handle({ params }, services) {
      const found = await services.order.getOrder({ id: params.orderId })
      return reply(200, { order: orderView(present(found.order)) })
    },
  }),
  viewedRoute({
    method: 'POST',
    path: '/v1/admin/orders/{orderId}/cancel',
    operationId: 'adminCancelOrder',
    tag,
    summary: 'Cancel an order of any merchant',
    auth: admin('admin.orders.write'),
    params: { orderId: uuid },
    body: cancelBody,
    replies: { 200: cancelReply },
    errors: ['not_found', 'cannot_cancel', 'insufficient_merchant_wallet'],
    async handle({ params, body }, services) {
      const cancelled = await services.order.cancelOrder({ id: params.orderId, ...body })
      const already_cancelled = cancelled.already_cancelled || undefined
      return reply(200, { order: orderView(present(cancelled.order)), already_cancelled })
    },
  }),
]
