import type { Tenant } from '@svc/database'
import { ServiceError } from '@svc/errors'
import type { SqlResult, Tx } from './transact.ts'

export interface Idempotency {
  /** 1 to 255 printable ASCII characters. */
  key: string
  /** Of everything that makes two requests the same. */
  request_hash: Uint8Array
}

export interface IdempotentReply {
  reply: Uint8Array
  /** True when an earlier request with the key made this reply. */
  replayed: boolean
}

interface StoredReply {
  request_hash: Buffer
  reply: Buffer
}

const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Does the work once per key: the reply is stored in the transaction of the effect and given again for 24 hours. A
 * concurrent twin waits for the first; a refusal (a throw) stores nothing, so that a later try is judged afresh.
 * Call it before any other write of the transaction.
 */
export async function withIdempotency(
  tx: Tx,
  tenant: Tenant,
  route: string,
  idempotency: Idempotency | undefined,
  work: () => Promise<{ reply: Uint8Array; resourceId?: string }>,
): Promise<IdempotentReply> {
  if (!idempotency) return { reply: (await work()).reply, replayed: false }
  if (tenant.isTest === null) throw new TypeError('an idempotency key belongs to one environment')
  const scope = [tenant.merchantId, tenant.isTest, route, idempotency.key]
  const hash = Buffer.from(idempotency.request_hash)

  if (!(await claim(tx, scope, hash))) {
    const { rows } = await tx.sql<StoredReply>(`SELECT request_hash, reply FROM idempotency WHERE ${ROW}`, scope)
    const stored = rows[0]!
    if (!hash.equals(stored.request_hash)) throw new ServiceError('idempotency_conflict')
    return { reply: stored.reply, replayed: true }
  }
  const { reply, resourceId } = await work()
  await tx.sql(`UPDATE idempotency SET reply = $5, resource_id = $6 WHERE ${ROW}`, [
    ...scope,
    Buffer.from(reply),
    resourceId ?? null,
  ])
  return { reply, replayed: false }
}

const ROW = 'merchant_id = $1 AND is_test = $2 AND route = $3 AND key = $4'

/** True when the key is new, or was last used longer ago than keys are kept. */
async function claim(tx: Tx, scope: unknown[], hash: Buffer): Promise<boolean> {
  let claimed: SqlResult<object>
  try {
    claimed = await tx.sql(
      `INSERT INTO idempotency (merchant_id, is_test, route, key, request_hash) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (merchant_id, is_test, route, key) DO UPDATE
         SET request_hash = excluded.request_hash, reply = NULL, resource_id = NULL,
             created_at = excluded.created_at, expires_at = excluded.expires_at
         WHERE idempotency.expires_at <= app_now()`,
      [...scope, hash],
    )
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
    throw new ServiceError('idempotency_in_progress', { retryAfterSeconds: 1, cause: error })
  }
  return claimed.rowCount === 1
}
