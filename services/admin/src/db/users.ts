import { randomUUID } from 'node:crypto'
import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { isUuid, type Page } from '@svc/inputs'
import type { Tx } from '@svc/transact'
import { asJudged } from '../domain/as-judged.ts'
import { assertSameEpoch } from '../domain/holder.ts'
import { User } from '../domain/user.ts'

/** The user who logs in with the address, of whichever merchant: a login names no tenant. */
export function findUserByEmail(em: EntityManager, email: string): Promise<User | null> {
  return em.findOne(User, { email })
}

/** The user of the merchant. */
export function findUser(em: EntityManager, merchantId: string, id: string): Promise<User | null> {
  return em.findOne(User, { id, merchantId })
}

/** The user of the merchant, held against other writers; not_found for an unknown one. */
export async function lockUser(em: EntityManager, merchantId: string, id: string): Promise<User> {
  // What was read before the lock may be old by now.
  const user = await em.findOne(User, { id, merchantId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
  if (!user) throw new ServiceError('not_found')
  return user
}

/** The user as it was judged, held against other writers; 401 where it has another password since. */
export async function lockJudgedUser(
  em: EntityManager,
  judged: Pick<User, 'id' | 'merchantId' | 'epoch'>,
): Promise<User> {
  return asJudged(await lockUser(em, judged.merchantId, judged.id), judged)
}

/** Throws 401 where the log-in that calls has ended since the gateway judged its token. Held until the transaction ends. */
export async function assertUserStillJudged(tx: Tx, { actor, credentialEpoch }: Caller): Promise<void> {
  if (!isUuid(actor.id)) return
  const { rows } = await tx.sql<{ epoch: number }>('SELECT epoch FROM users WHERE id = $1 FOR SHARE', [actor.id])
  assertSameEpoch(rows[0] ?? { epoch: -1 }, credentialEpoch)
}

/** Newest first, with the number of all. */
export function listUsersOf(em: EntityManager, merchantId: string, { limit, offset }: Page): Promise<[User[], number]> {
  return em.findAndCount(User, { merchantId }, { limit, offset, orderBy: { createdAt: 'desc', id: 'desc' } })
}

/** The first owner of the merchant. */
export function findOwner(em: EntityManager, merchantId: string): Promise<User | null> {
  return em.findOne(User, { merchantId, role: 'owner' }, { orderBy: { createdAt: 'asc' } })
}

/**
 * The owner as which a merchant begins, by id; undefined where the address has an account. That is no error of the
 * database, which would write down the statement with address and hash.
 */
export async function insertOwner(
  tx: Tx,
  { merchantId, email, passwordHash }: { merchantId: string; email: string; passwordHash: string },
): Promise<string | undefined> {
  const { rows } = await tx.sql<{ id: string }>(
    `INSERT INTO users (id, merchant_id, email, password_hash, role, epoch, created_at)
     VALUES ($1, $2, $3, $4, 'owner', 1, $5) ON CONFLICT DO NOTHING RETURNING id`,
    [randomUUID(), merchantId, email, passwordHash, tx.now],
  )
  return rows[0]?.id
}
