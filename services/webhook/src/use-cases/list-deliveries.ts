import type { Tenant } from '@svc/database'
import type { Context } from '../context.ts'
import { type DeliveryFilter, type DeliveryRow, listDeliveries as listRows } from '../db/deliveries.ts'

/** One page of a merchant's deliveries, newest first. */
export async function listDeliveries(
  ctx: Context,
  tenant: Tenant,
  filter: DeliveryFilter,
  page: { limit: number; offset: number },
): Promise<{ items: DeliveryRow[]; total: number }> {
  return ctx.transact(tenant, (tx) => listRows(tx, tenant, filter, page))
}
