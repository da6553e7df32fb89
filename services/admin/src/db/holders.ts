import type { EntityManager } from '@mikro-orm/postgresql'
import type { Tenant } from '@svc/database'
import { ApiKey } from '../domain/api-key.ts'
import { type Holder, keyHolder, userHolder } from '../domain/holder.ts'
import { User } from '../domain/user.ts'
import { findMerchant } from './merchants.ts'

/** The key or user of the tenant behind `key:<id>` or `user:<id>`, or undefined. */
export async function findHolder(
  em: EntityManager,
  { merchantId }: Tenant,
  credential: string,
): Promise<Holder | undefined> {
  const [kind, id] = credential.split(':') as [string, string]
  if (kind === 'user') {
    const user = await em.findOne(User, { id, merchantId })
    return user ? userHolder(user) : undefined
  }
  const key = await em.findOne(ApiKey, { keyId: id, merchantId })
  return key ? keyHolder(key, await findMerchant(em, merchantId)) : undefined
}
