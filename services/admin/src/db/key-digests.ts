import type { Database } from '@svc/database'
import type { KeptDigest } from '../domain/api-key.ts'

/** The digest of a key by the first pepper, in the place of that by a former one. */
export interface DigestMadeAnew extends KeptDigest {
  keyId: string
  former: Buffer
  /** By the clock of the database, when the former one was read. */
  askedAt: Date
}

/**
 * Puts digests in the place of those that former peppers have made. A key that has another secret by then keeps it; and a
 * process that was held up for a minute, which may put another pepper first than the others do by now, stores nothing.
 */
export async function storeDigests(worker: Database['worker'], digests: readonly DigestMadeAnew[]): Promise<void> {
  await worker.query(
    // In one order everywhere, so that two replicas never wait for each other in a circle.
    `WITH held AS (
       SELECT k.id, made.hmac, made.pepper
         FROM unnest($1::text[], $2::bytea[], $3::timestamptz[], $4::bytea[], $5::text[]) AS made (key_id, former, asked_at, hmac, pepper)
         JOIN api_keys k ON k.key_id = made.key_id AND k.secret_hmac = made.former
        WHERE made.asked_at > app_now() - interval '1 minute' ORDER BY k.id FOR NO KEY UPDATE OF k)
     UPDATE api_keys k SET secret_hmac = held.hmac, secret_pepper = held.pepper FROM held WHERE k.id = held.id`,
    [
      digests.map(({ keyId }) => keyId),
      digests.map(({ former }) => former),
      digests.map(({ askedAt }) => askedAt),
      digests.map(({ secretHmac }) => secretHmac),
      digests.map(({ secretPepper }) => secretPepper),
    ],
  )
}
