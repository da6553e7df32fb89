import type { Tenant } from '@svc/database'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { listKeys } from '../../db/api-keys.ts'
import type { ApiKey } from '../../domain/api-key.ts'

/** The tenant's keys, revoked ones included, newest first. */
export async function listApiKeys(
  ctx: Context,
  tenant: Tenant,
  page: Page,
): Promise<{ keys: ApiKey[]; total: number }> {
  const [keys, total] = await ctx.transact(tenant, (tx) => listKeys(tx.em, tenant, page))
  return { keys, total }
}
