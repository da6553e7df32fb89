import type { Tx } from '@svc/outbox'

/** Longer than the order may take to answer; after it anybody may finish what is under way. */
const LEASE_SECONDS = 15

/** Takes a pending offer under way, or an assignment under way over. The caller holds the lock of its job. */
export async function lease(tx: Tx, offerId: string, { id, actor }: { id: string; actor?: string }): Promise<void> {
  await tx.sql(
    `UPDATE dispatch_offers SET state = 'accepting', lease = $2, actor = coalesce($3::jsonb, actor),
            lease_until = $4::timestamptz + interval '${LEASE_SECONDS} seconds'
      WHERE id = $1`,
    [offerId, id, actor ?? null, tx.now],
  )
}
