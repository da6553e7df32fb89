import { DeliveryServiceService } from '@svc/contracts/webhook/v1/delivery_service'
import { either, merchant, operator, rpc, serving } from '@svc/grpc'
import { pageFields, resourceId, uuid } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { deliveryMessage } from '../messages/delivery.ts'
import { listDeliveries } from '../use-cases/list-deliveries.ts'
import { retryDelivery } from '../use-cases/retry-delivery.ts'
import { deliveryStatus } from './pieces.ts'

const deliveriesAsked = z.object({
  ...pageFields(),
  order_id: uuid.optional(),
  status: deliveryStatus.optional(),
  event: z.string().optional(),
  merchant_id: z.string().optional(),
})

/** The rpcs of deliveries; operators list those of one merchant and retry those of every merchant. */
export const deliveryService = serving<Context>()(DeliveryServiceService, {
  listDeliveries: rpc({
    access: either(merchant('webhooks:manage'), operator('admin.webhooks.read')),
    input: deliveriesAsked,
    async handle(ctx, by, { order_id: orderId, merchant_id: merchantId, ...asked }) {
      const { items, total } = await listDeliveries(ctx, by, { ...asked, orderId, merchantId })
      const { limit, offset } = asked
      return { items: items.map((row) => deliveryMessage(ctx.config, row)), total, limit, offset }
    },
  }),

  retryDelivery: rpc({
    access: either(merchant('webhooks:manage'), operator('admin.webhooks.retry')),
    handle: async (ctx, by, { id }) => ({
      delivery: deliveryMessage(ctx.config, await retryDelivery(ctx, by, { id: resourceId(id) })),
    }),
  }),
})
