import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { findActiveGrant } from '../../db/workspace-grants.ts'
import type { WorkspaceGrant } from '../../domain/workspace-grant.ts'

/** The active grant by which the tenant may act for the merchant; not_found where there is none for its environment. */
export const getActiveWorkspaceGrant = (
  ctx: Context,
  { scope }: By<Tenant>,
  { grantor }: { grantor: string },
): Promise<WorkspaceGrant> => ctx.transact('every tenant', ({ em }) => findActiveGrant(em, scope, grantor))
