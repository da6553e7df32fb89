import type { By, Tenant } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { listGrants } from '../../db/workspace-grants.ts'
import type { WorkspaceGrant } from '../../domain/workspace-grant.ts'

/** The grants that the tenant gave or has, revoked ones included, newest first. */
export async function listWorkspaceGrants(
  ctx: Context,
  { scope }: By<Tenant>,
  page: Page,
): Promise<{ grants: WorkspaceGrant[]; total: number }> {
  const [grants, total] = await ctx.transact('every tenant', ({ em }) => listGrants(em, scope, page))
  return { grants, total }
}
