import type { EntityManager } from '@mikro-orm/postgresql'
import type { Tenant } from '@svc/database'
import type { OrmTx } from '@svc/transact'
import { ApiKey } from '../domain/api-key.ts'
import { type Holder, keyHolder, type MerchantHolder, riderHolder, userHolder } from '../domain/holder.ts'
import type { Session } from '../domain/session.ts'
import { unauthorized } from '../domain/unauthorized.ts'
import { findMerchant } from './merchants.ts'
import { riderEpoch } from './rider-credentials.ts'
import { findUser } from './users.ts'

/** The key or user of the tenant behind `key:<id>` or `user:<id>`, or undefined. */
export async function findHolder(
  em: EntityManager,
  { merchantId }: Tenant,
  credential: string,
): Promise<MerchantHolder | undefined> {
  const [kind, id] = credential.split(':') as [string, string]
  if (kind === 'user') {
    const user = await findUser(em, merchantId, id)
    return user ? userHolder(user) : undefined
  }
  const key = await em.findOne(ApiKey, { keyId: id, merchantId })
  return key ? keyHolder(key, await findMerchant(em, merchantId)) : undefined
}

/** Who holds the family: a rider, or the key or user of its merchant. */
export async function findHolderOf(tx: OrmTx, session: Session): Promise<Holder | undefined> {
  const { credential, isTest } = session
  const merchantId = session.merchantId ?? null
  if (!credential.startsWith('rider:')) {
    return merchantId === null ? undefined : findHolder(tx.em, { merchantId, isTest: null }, credential)
  }
  const riderId = credential.slice('rider:'.length)
  const epoch = await riderEpoch(tx, riderId)
  if (epoch === undefined) return undefined
  // What a key has minted is never refreshed.
  return riderHolder(riderId, epoch, { merchantId, isTest: isTest === true, minter: null })
}

/** Throws for a revoked key (401) and for a live key of a merchant that may not trade live (403 kyb_required). */
export async function assertAlive(em: EntityManager, holder: Holder): Promise<void> {
  if (holder.verdict === 'revoked') throw unauthorized('revoked')
  if (holder.verdict === 'suspended') (await findMerchant(em, holder.merchantId)).assertMayTradeLive()
}
