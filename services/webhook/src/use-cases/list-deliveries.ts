import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../context.ts'
import { type DeliveryFilter, type DeliveryRow, listDeliveries as listRows } from '../db/deliveries.ts'
import { tenantNamed } from '../db/merchants.ts'

interface ListDeliveries extends DeliveryFilter, Page {
  /** As operators name it. */
  merchantId?: string | undefined
}

/** One page of a merchant's deliveries, newest first. */
export async function listDeliveries(
  ctx: Context,
  by: By,
  { merchantId, limit, offset, ...filter }: ListDeliveries,
): Promise<{ items: DeliveryRow[]; total: number }> {
  const tenant = await tenantNamed(ctx, by, merchantId)
  return listRows(ctx, tenant, filter, { limit, offset })
}
