import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { findMerchant } from '../../db/merchants.ts'
import { findOwner, findUser } from '../../db/users.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { User } from '../../domain/user.ts'

/**
 * The caller's merchant and the account that speaks for it: the user who logged in, or the owner behind a key. Who acts
 * for another merchant is no user of it: there too its owner speaks for it.
 */
export async function getAccount(
  ctx: Context,
  { caller, scope }: By<Tenant>,
): Promise<{ merchant: Merchant; user: User | null }> {
  const { merchantId } = scope
  const [kind, id = ''] = caller.credential?.split(':') ?? []
  const isItsUser = kind === 'user' && caller.actingFor === undefined
  return ctx.transact(scope, async ({ em }) => ({
    merchant: await findMerchant(em, merchantId),
    user: isItsUser ? await findUser(em, merchantId, id) : await findOwner(em, merchantId),
  }))
}
