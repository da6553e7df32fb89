import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import type { RefreshClaims } from '@svc/credentials'
import type { Database, Tenant } from '@svc/database'
import { isUuid } from '@svc/inputs'
import type { Scope, Tx } from '@svc/transact'
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

/** Ends every refresh family of the credential. */
export async function revokeSessionsOf(tx: Tx, { merchantId }: Tenant, credential: string): Promise<void> {
  await tx.sql(
    `UPDATE sessions SET revoked_at = $1, epoch = epoch + 1
      WHERE merchant_id = $2 AND credential = $3 AND revoked_at IS NULL`,
    [tx.now, merchantId, credential],
  )
}

/** Forgets families that have ended; a day longer than their tokens, by whichever clock. */
export async function forgetEndedSessions(worker: Database['worker']): Promise<void> {
  await worker.query("DELETE FROM sessions WHERE expires_at < app_now() - interval '1 day'")
}
