import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import type { Tenant } from '@svc/database'
import { ServiceError } from '@svc/errors'
import { isUuid, type Page } from '@svc/inputs'
import type { Tx } from '@svc/outbox'
import { ApiKey } from '../domain/api-key.ts'

/** A test credential sees test keys only; live ones and logins see both. */
const visibleTo = ({ merchantId, isTest }: Tenant) => ({ merchantId, ...(isTest ? { isTest } : {}) })

/** Newest first, with the number of all. */
export function listKeys(em: EntityManager, tenant: Tenant, { limit, offset }: Page): Promise<[ApiKey[], number]> {
  return em.findAndCount(ApiKey, visibleTo(tenant), { limit, offset, orderBy: { createdAt: 'desc', id: 'desc' } })
}

/** The key, held against other writers; not_found for another tenant's or environment's as for an unknown one. */
export async function lockKey(em: EntityManager, tenant: Tenant, id: string): Promise<ApiKey> {
  const key = isUuid(id)
    ? await em.findOne(ApiKey, { id, ...visibleTo(tenant) }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    : null
  if (!key) throw new ServiceError('not_found')
  return key
}

/** How many keys of the merchant are not revoked. */
export function countActiveKeys(em: EntityManager, { merchantId }: Tenant): Promise<number> {
  return em.count(ApiKey, { merchantId, revokedAt: null })
}

/** Raises the epoch of every live key that is not revoked and returns the new ones. */
export async function raiseLiveKeyEpochs(
  tx: Tx,
  { merchantId }: Tenant,
): Promise<Array<{ credential: `key:${string}`; epoch: number }>> {
  const { rows } = await tx.sql<{ key_id: string; epoch: number }>(
    `UPDATE api_keys SET epoch = epoch + 1
      WHERE merchant_id = $1 AND NOT is_test AND revoked_at IS NULL RETURNING key_id, epoch`,
    [merchantId],
  )
  return rows.map(({ key_id, epoch }) => ({ credential: `key:${key_id}`, epoch }))
}
