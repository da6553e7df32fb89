import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { stageRows } from '../db/shipment-drafts.ts'
import { writeTenant } from '../domain/tenant.ts'

/** Keeps a part of the rows of a shipment that is about to be created; the same part again replaces it. */
export async function stageShipmentRows(
  ctx: Pick<Context, 'transact'>,
  by: By<Tenant>,
  input: { uploadId: string; part: number; rows: Uint8Array },
): Promise<void> {
  const tenant = writeTenant(by.scope)
  await ctx.transact(tenant, (tx) => stageRows(tx, tenant, input))
}
