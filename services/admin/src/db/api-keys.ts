import { randomUUID } from 'node:crypto'
import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import type { MerchantScope, MintedApiKey } from '@svc/credentials'
import type { Database, Tenant } from '@svc/database'
import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { isUuid, type Page, resourceId } from '@svc/inputs'
import type { Expiry } from '@svc/lifecycle'
import type { OrmTx, Tx } from '@svc/transact'
import { ApiKey, type KeptDigest } from '../domain/api-key.ts'
import { assertSameEpoch, type Minter } from '../domain/holder.ts'
import { assertOperatorStillJudged } from './operators.ts'
import { assertUserStillJudged } from './users.ts'

interface NewKey {
  merchantId: string
  label: string | null
  scopes: MerchantScope[]
  /** Unless an operator gives it, a key has it not. */
  enterpriseTier?: boolean
  /** Who but its merchant is shown it. */
  madeByOperator?: string | null
  minted: MintedApiKey
  digest: KeptDigest
}

/** The row of a minted key; its text is not in it. */
export function insertKey(
  tx: OrmTx,
  { merchantId, label, scopes, enterpriseTier = false, madeByOperator = null, minted, digest }: NewKey,
): ApiKey {
  return tx.em.create(ApiKey, {
    id: randomUUID(),
    merchantId,
    keyId: minted.keyId,
    ...digest,
    prefix: minted.prefix,
    last4: minted.last4,
    label,
    scopes,
    isTest: minted.isTest,
    enterpriseTier,
    madeByOperator,
    epoch: 1,
    rotations: 0,
    hasDeadFamilies: false,
    createdAt: tx.now,
  })
}

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

/** The merchant's keys of both environments that are not revoked, held against other writers. */
export const lockActiveKeys = (em: EntityManager, merchant: { id: string }): Promise<ApiKey[]> =>
  em.find(
    ApiKey,
    { merchantId: merchant.id, revokedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  )

/** The tenant of the key of that id, whosever it is; not_found for an unknown one. */
export async function tenantOfKey(tx: Tx, id: string): Promise<Tenant> {
  const { rows } = await tx.sql<{ merchant_id: string }>('SELECT merchant_id FROM api_keys WHERE id = $1', [
    resourceId(id),
  ])
  if (!rows[0]) throw new ServiceError('not_found')
  return { merchantId: rows[0].merchant_id, isTest: null }
}

/** The merchant's key behind `key:<id>`, held against its end; undefined where it is none or has ended. */
export async function lockMinter(
  tx: OrmTx,
  credential: string,
  merchantId: string | undefined,
): Promise<Minter | undefined> {
  const { rows } = await tx.sql<{ key_id: string; epoch: number }>(
    `SELECT key_id, epoch FROM api_keys WHERE key_id = $1 AND merchant_id = $2 AND revoked_at IS NULL FOR SHARE`,
    [credential.replace(/^key:/, ''), merchantId ?? null],
  )
  const [found] = rows
  return found && { credential: `key:${found.key_id}`, epoch: found.epoch }
}

/** Who calls to make, rotate or end keys, as it stands now. */
interface KeyMaker {
  /** A key that hands out scopes which it does not hold; no token of it does. */
  isEnterprise: boolean
  /** The operator who is shown what it makes, or can read it with a key of its own. */
  operatorId: string | null
}

/**
 * Throws 401 where the key, user or operator that calls has ended or changed since the gateway judged it: what it makes would
 * outlive it. Keys of a merchant are made, rotated and revoked under the merchant's lock, which the caller holds.
 */
export async function assertStillJudged(tx: Tx, caller: Caller): Promise<KeyMaker> {
  const { kind, actor, credential, credentialEpoch, sessionId } = caller
  if (kind === 'admin') {
    await assertOperatorStillJudged(tx, caller)
    return { isEnterprise: false, operatorId: actor.id }
  }
  if (credential?.startsWith('user:')) await assertUserStillJudged(tx, caller)
  if (!credential?.startsWith('key:')) return { isEnterprise: false, operatorId: null }
  const { rows } = await tx.sql<{ epoch: number; enterprise_tier: boolean; made_by_operator: string | null }>(
    'SELECT epoch, enterprise_tier, made_by_operator FROM api_keys WHERE key_id = $1',
    [credential.slice('key:'.length)],
  )
  const [key] = rows
  assertSameEpoch(key ?? { epoch: 0 }, credentialEpoch)
  return {
    isEnterprise: sessionId === undefined && key?.enterprise_tier === true,
    operatorId: key?.made_by_operator ?? null,
  }
}

/** How many keys of the merchant are not revoked. */
export function countActiveKeys(em: EntityManager, { merchantId }: Tenant): Promise<number> {
  return em.count(ApiKey, { merchantId, revokedAt: null })
}

/** Raises the epoch of every live key that is not revoked and returns the new ones. */
export async function raiseLiveKeyEpochs(
  tx: OrmTx,
  { merchantId }: Tenant,
): Promise<Array<{ credential: `key:${string}`; epoch: number }>> {
  const { rows } = await tx.sql<{ key_id: string; epoch: number }>(
    `UPDATE api_keys SET epoch = epoch + 1
      WHERE merchant_id = $1 AND NOT is_test AND revoked_at IS NULL RETURNING key_id, epoch`,
    [merchantId],
  )
  return rows.map(({ key_id, epoch }) => ({ credential: `key:${key_id}`, epoch }))
}

/** Revoked keys; kept for far longer than any token that they made. A token without its key is as dead. */
export const revokedKeys: Expiry = {
  table: 'api_keys',
  age: 'revoked_at',
  keep: `interval '1 year'`,
  where: 'revoked_at IS NOT NULL',
}

/** Writes that these keys were used just now. */
export async function storeKeyUse(worker: Database['worker'], keyIds: readonly string[]): Promise<void> {
  await worker.query(
    // In one order everywhere, so that two replicas never wait for each other in a circle.
    `UPDATE api_keys SET last_used_at = app_now() WHERE id IN
       (SELECT id FROM api_keys WHERE key_id = ANY($1) ORDER BY id FOR NO KEY UPDATE)`,
    [keyIds],
  )
}
