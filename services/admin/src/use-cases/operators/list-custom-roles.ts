import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { listRoles } from '../../db/custom-roles.ts'
import type { CustomRole } from '../../domain/custom-role.ts'

/** All roles that operators made, newest first. */
export async function listCustomRoles(
  ctx: Context,
  by: By<'every tenant'>,
  page: Page,
): Promise<{ roles: CustomRole[]; total: number }> {
  const [roles, total] = await ctx.transact(by.scope, ({ em }) => listRoles(em, page))
  return { roles, total }
}
