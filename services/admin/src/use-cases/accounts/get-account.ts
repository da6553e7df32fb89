import type { Tenant } from '@svc/database'
import type { Caller } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { findMerchant } from '../../db/merchants.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { User } from '../../domain/user.ts'

/** The caller's merchant and the account that speaks for it: the user who logged in, or the owner behind a key. */
export async function getAccount(
  ctx: Context,
  tenant: Tenant,
  caller: Caller,
): Promise<{ merchant: Merchant; user: User | null }> {
  const { merchantId } = tenant
  const whose = caller.credential?.startsWith('user:')
    ? { id: caller.credential.slice('user:'.length) }
    : { role: 'owner' as const }
  return ctx.transact(tenant, async (tx) => ({
    merchant: await findMerchant(tx.em, merchantId),
    user: await tx.em.findOne(User, { merchantId, ...whose }, { orderBy: { createdAt: 'asc' } }),
  }))
}
