import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { findMerchant } from '../../db/merchants.ts'
import { listUsersOf } from '../../db/users.ts'
import type { User } from '../../domain/user.ts'

/** The users of a merchant, newest first, for an operator. */
export async function listUsers(
  ctx: Context,
  by: By<'every tenant'>,
  { merchantId, ...page }: Page & { merchantId: string },
): Promise<{ users: User[]; total: number }> {
  const [users, total] = await ctx.transact(by.scope, async ({ em }) => {
    await findMerchant(em, merchantId)
    return listUsersOf(em, merchantId, page)
  })
  return { users, total }
}
