import { booleanWord, paging, text, uuid } from '@svc/inputs'
import { orderOf } from '@svc/public-bodies'
import { cancelBody, cancelledOrder, cancelledOrderOf, oneOrder, orderRows, orderRowsOf } from '../../bodies/order.ts'
import { admin, reply, route } from '../../http/route.ts'

const tag = 'Orders of all merchants'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/orders',
    operationId: 'adminListOrders',
    tag,
    summary: 'List orders of all merchants, newest first',
    description:
      'Live ones and those of the sandbox: filter by `is_test`, merchant, source, status or payment. `source` and `external_order_id` find the order that a merchant asks about.',
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
    replies: { 200: orderRows('items') },
    errors: [],
    async handle({ query }, services) {
      const listed = await services.order.listOrders(query)
      return reply(200, { ...listed, items: orderRowsOf(listed.orders, query) })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/admin/orders/{orderId}',
    operationId: 'adminGetOrder',
    tag,
    summary: 'Read an order of any merchant',
    description: 'The order as it stands now, live or of the sandbox, with its whole record.',
    auth: admin('admin.orders.read'),
    params: { orderId: uuid },
    replies: { 200: oneOrder },
    errors: ['not_found'],
    async handle({ params }, services) {
      const found = await services.order.getOrder({ id: params.orderId })
      return reply(200, { order: orderOf(found.order) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/orders/{orderId}/cancel',
    operationId: 'adminCancelOrder',
    tag,
    summary: 'Cancel an order of any merchant',
    description:
      'For a merchant that cannot do it; it is on record. The same policy holds as for merchants: 409 `cannot_cancel` for an order that is too far. One that is cancelled already answers 200 with `already_cancelled`.',
    auth: admin('admin.orders.write'),
    params: { orderId: uuid },
    body: cancelBody,
    replies: { 200: cancelledOrder },
    errors: ['not_found', 'cannot_cancel', 'insufficient_merchant_wallet'],
    async handle({ params, body }, services) {
      return reply(200, cancelledOrderOf(await services.order.cancelOrder({ id: params.orderId, ...body })))
    },
  }),
]
