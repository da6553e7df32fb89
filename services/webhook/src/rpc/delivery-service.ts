import type { DeliveryServiceService } from '@svc/contracts/webhook/v1/delivery_service'
import { type Call, type Handlers, requireAdmin, requireMerchant, type Tenant } from '@svc/grpc'
import { optionalUuid, resourceId } from '@svc/inputs'
import type { Context } from '../context.ts'
import { deliveryMessage } from '../messages/delivery.ts'
import { listDeliveries } from '../use-cases/list-deliveries.ts'
import { requireMerchantExists } from '../use-cases/require-merchant-exists.ts'
import { retryDelivery } from '../use-cases/retry-delivery.ts'
import { pageLimit, statusField } from './fields.ts'

const SCOPE = 'webhooks:manage'

/** The rpcs of deliveries; operators list those of one merchant and retry those of every merchant. */
export function deliveryService(ctx: Context): Handlers<typeof DeliveryServiceService> {
  const maxAttempts = ctx.config.outboundWebhookMaxAttempts
  return {
    async listDeliveries(request, call) {
      const page = { limit: pageLimit(request.limit), offset: Math.max(0, request.offset) }
      const filter = {
        orderId: optionalUuid('order_id', request.order_id),
        status: statusField(request.status),
        event: request.event ?? null,
      }
      const { items, total } = await listDeliveries(ctx, await tenantOf(ctx, call, request.merchant_id), filter, page)
      return { items: items.map((row) => deliveryMessage(row, maxAttempts)), total, ...page }
    },

    async retryDelivery({ id }, call) {
      const { caller } = call
      const tenant = caller.kind === 'admin' ? null : requireMerchant(call, SCOPE)
      if (!tenant) requireAdmin(call, 'admin.webhooks.retry')
      const row = await retryDelivery(ctx, caller, tenant, resourceId(id))
      return { delivery: deliveryMessage(row, maxAttempts) }
    },
  }
}

async function tenantOf(ctx: Context, call: Call, named: string | undefined): Promise<Tenant> {
  if (named === undefined) return requireMerchant(call, SCOPE)
  requireAdmin(call, 'admin.webhooks.read')
  const merchantId = resourceId(named)
  await requireMerchantExists(ctx, merchantId)
  return { merchantId, isTest: null }
}
