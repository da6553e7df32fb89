import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import type { Tenant } from '@svc/database'
import type { Tx } from '@svc/outbox'
import { Session } from '../domain/session.ts'
import { isUuid } from '../domain/uuid.ts'

/** The refresh family, held against other writers, or null. */
export async function lockSession(em: EntityManager, { merchantId }: Tenant, id: string): Promise<Session | null> {
  if (!isUuid(id)) return null
  return em.findOne(Session, { id, merchantId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
}

/** Ends every refresh family of the credential. */
export async function revokeSessionsOf(tx: Tx, { merchantId }: Tenant, credential: string): Promise<void> {
  await tx.sql(
    `UPDATE sessions SET revoked_at = $1, epoch = epoch + 1
      WHERE merchant_id = $2 AND credential = $3 AND revoked_at IS NULL`,
    [tx.now, merchantId, credential],
  )
}
