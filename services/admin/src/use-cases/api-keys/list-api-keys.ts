import type { By, Tenant } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { listKeys } from '../../db/api-keys.ts'
import type { ApiKey } from '../../domain/api-key.ts'

/** The tenant's keys, revoked ones included, newest first. */
export async function listApiKeys(
  ctx: Context,
  { scope }: By<Tenant>,
  page: Page,
): Promise<{ keys: ApiKey[]; total: number }> {
  const [keys, total] = await ctx.transact(scope, (tx) => listKeys(tx.em, scope, page))
  return { keys, total }
}
