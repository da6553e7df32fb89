import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import type { RefreshClaims } from '@svc/credentials'
import type { Database } from '@svc/database'
import { isUuid } from '@svc/inputs'
import type { Expiry } from '@svc/lifecycle'
import type { Scope, Tx } from '@svc/transact'
import { type Holder, isRider } from '../domain/holder.ts'
import { Session } from '../domain/session.ts'

/** Where the family of a refresh token is found: riders' are outside every tenant. */
export const familyScope = ({ merchant_id }: RefreshClaims): Scope =>
  merchant_id === undefined ? 'every tenant' : { merchantId: merchant_id, isTest: null }

/** The refresh family, held against other writers, or null. Families outside a tenant are riders'. */
export async function lockSession(em: EntityManager, scope: Scope, id: string): Promise<Session | null> {
  if (!isUuid(id)) return null
  const holders = scope === 'every tenant' ? { credential: { $like: 'rider:%' } } : { merchantId: scope.merchantId }
  return em.findOne(Session, { id, ...holders }, { lockMode: LockMode.PESSIMISTIC_WRITE })
}

const END = 'UPDATE sessions SET revoked_at = app_now(), epoch = epoch + 1'

/** What the tokens of an ended family stand on from now on. */
export type EndedFamily = { credential: `session:${string}`; epoch: number }

const endedFamily = ({ id, epoch }: { id: string; epoch: number }): EndedFamily => ({
  credential: `session:${id}`,
  epoch,
})

/**
 * Ends the oldest live families of the holder beyond so many. A rider's count per merchant to which they are bound and per
 * key that minted them, and go with their rows: who asks again and again leaves no more rows than the limit.
 */
export async function endOldestSessions(tx: Tx, holder: Holder, limit: number): Promise<EndedFamily[]> {
  const { credential, merchantId } = holder
  const mintedBy = isRider(holder) ? (holder.minter?.credential ?? null) : null
  const end = isRider(holder) ? 'DELETE FROM sessions' : END
  const next = isRider(holder) ? 'epoch + 1' : 'epoch'
  const { rows } = await tx.sql<{ id: string; epoch: number }>(
    // The outer one locks: an inner lock would take those before the offset too. An index finds NULL by IS NULL alone.
    `${end} WHERE id IN (
       SELECT id FROM sessions WHERE id IN (
         SELECT id FROM sessions WHERE credential = $1 AND revoked_at IS NULL
            AND ${merchantId === null ? 'merchant_id IS NULL AND $2::uuid IS NULL' : 'merchant_id = $2'}
            AND ${mintedBy === null ? 'minted_by IS NULL AND $3::text IS NULL' : 'minted_by = $3'}
          ORDER BY created_at DESC OFFSET $4 LIMIT $5)
        ORDER BY id FOR UPDATE SKIP LOCKED)
     RETURNING id, ${next} AS epoch`,
    [credential, merchantId, mintedBy, limit, ENDED_AT_ONCE],
  )
  return rows.map(endedFamily)
}

/** Families of a rider that end in one transaction. */
const RIDER_FAMILIES = 1_000

/**
 * Ends some of the rider's live families, all but the one excepted and those that began after the time given; whether
 * more may be left. The rider's epoch is held.
 */
export async function endRiderFamilies(
  tx: Tx,
  riderId: string,
  exceptSessionId: string | undefined,
  begunUntil?: Date,
): Promise<{ ended: EndedFamily[]; hasMore: boolean }> {
  const { rows } = await tx.sql<{ id: string; epoch: number }>(
    `${END} WHERE id IN (
       SELECT id FROM sessions
        WHERE credential = $1 AND revoked_at IS NULL AND ($2::text IS NULL OR id::text <> $2)
          AND ($3::timestamptz IS NULL OR created_at <= $3)
        LIMIT ${RIDER_FAMILIES} FOR UPDATE)
     RETURNING id, epoch`,
    [`rider:${riderId}`, exceptSessionId ?? null, begunUntil ?? null],
  )
  return { ended: rows.map(endedFamily), hasMore: rows.length === RIDER_FAMILIES }
}

/** Ends every live family of a user, whose row is held: a log-in has no more than the limit of families. */
export async function endUserFamilies(tx: Tx, merchantId: string, userId: string): Promise<void> {
  await tx.sql(`${END} WHERE credential = $1 AND merchant_id = $2 AND revoked_at IS NULL`, [
    `user:${userId}`,
    merchantId,
  ])
}

/** More than one, so that their number falls where it was above the limit. */
const ENDED_AT_ONCE = 10

/**
 * Ends some families of keys that were revoked or have another secret since; false where none is left. Their tokens are
 * dead already, by the key.
 */
export async function endDeadFamilies(worker: Database['worker'], limit: number): Promise<boolean> {
  const { rows } = await worker.query<{ id: string; epoch: number; ended: number }>(
    `WITH dead AS (SELECT id, key_id, epoch, rotations, revoked_at FROM api_keys WHERE has_dead_families ORDER BY id LIMIT 1),
     ended AS (
       ${END} WHERE id IN (
         SELECT s.id FROM dead d JOIN sessions s ON s.credential = 'key:' || d.key_id AND s.revoked_at IS NULL
          WHERE d.revoked_at IS NOT NULL OR s.key_rotations <> d.rotations LIMIT $1 FOR UPDATE OF s)
       RETURNING 1)
     SELECT id, epoch, (SELECT count(*) FROM ended)::int AS ended FROM dead`,
    [limit],
  )
  const [key] = rows
  if (!key) return false
  // Unless the key has changed meanwhile, and with it which of its families are dead.
  if (key.ended < limit)
    await worker.query('UPDATE api_keys SET has_dead_families = false WHERE id = $1 AND epoch = $2', [
      key.id,
      key.epoch,
    ])
  return true
}

/** Families that have ended; kept a day longer than their tokens, by whichever clock. */
export const endedSessions: Expiry = { table: 'sessions', age: 'expires_at', keep: `interval '1 day'` }
