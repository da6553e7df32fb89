import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { isUuid, type Page } from '@svc/inputs'
import type { Tx } from '@svc/transact'
import { asJudged } from '../domain/as-judged.ts'
import { assertSameEpoch } from '../domain/holder.ts'
import { Operator } from '../domain/operator.ts'
import { STATIC } from '../domain/two-people.ts'

/** Newest first, with the number of all. */
export function listOperators(em: EntityManager, { limit, offset }: Page): Promise<[Operator[], number]> {
  return em.findAndCount(Operator, {}, { limit, offset, orderBy: { createdAt: 'desc', id: 'desc' } })
}

/** The operator who logs in with the address. */
export function findOperatorByEmail(em: EntityManager, email: string): Promise<Operator | null> {
  return em.findOne(Operator, { email })
}

/** The operator of that id, while there is one. */
export async function findOperator(em: EntityManager, id: string): Promise<Operator | null> {
  return isUuid(id) ? em.findOne(Operator, { id }) : null
}

/** The operator, held against other writers; not_found for an unknown one. */
export async function lockOperator(em: EntityManager, id: string): Promise<Operator> {
  const operator = await holdOperator(em, id)
  if (!operator) throw new ServiceError('not_found')
  return operator
}

/** The operator as it was judged, held against other writers; 401 where it has ended, or has another password or role, since. */
export async function lockJudgedOperator(em: EntityManager, judged: Pick<Operator, 'id' | 'epoch'>): Promise<Operator> {
  return asJudged(await holdOperator(em, judged.id), judged)
}

// What was read before the lock may be old by now.
const holdOperator = async (em: EntityManager, id: string): Promise<Operator | null> =>
  isUuid(id) ? em.findOne(Operator, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true }) : null

/** Throws 401 where the operator who calls has ended or changed since the gateway judged its token. Held until the transaction ends. */
export async function assertOperatorStillJudged(tx: Tx, { actor, credentialEpoch }: Caller): Promise<void> {
  if (actor.id === STATIC || !isUuid(actor.id)) return
  const { rows } = await tx.sql<{ epoch: number }>('SELECT epoch FROM operators WHERE id = $1 FOR SHARE', [actor.id])
  assertSameEpoch(rows[0] ?? { epoch: -1 }, credentialEpoch)
}

const PERMITTING_LOCK = 7_264_002

/**
 * Makes changes of who may do what run one after the other, until the transaction ends, and judges the operator who makes
 * this one again: another may have ended or changed it meanwhile.
 */
export async function lockPermitting(tx: Tx, caller: Caller): Promise<void> {
  await tx.sql('SELECT pg_advisory_xact_lock($1)', [PERMITTING_LOCK])
  await assertOperatorStillJudged(tx, caller)
}

/** How many may give and take permissions, and how many of these hold all there are by the role that is built in. */
export async function countPermitting(tx: Tx): Promise<{ managers: number; administrators: number }> {
  const { rows } = await tx.sql<{ managers: number; administrators: number }>(
    `SELECT count(*) FILTER (WHERE permission_keys IS NULL)::int AS administrators, count(*)::int AS managers
       FROM operators
      WHERE CASE WHEN permission_keys IS NULL THEN role = 'administrator' ELSE 'admin.rbac.manage' = ANY (permission_keys) END`,
  )
  return rows[0] ?? { managers: 0, administrators: 0 }
}
