import type pg from 'pg'

const CHUNK = 5_000

/** What outlived its use. The inbox remembers longer than Kafka keeps facts: a replay must find them there. */
const EXPIRED: Record<string, string> = {
  outbox: `created_at < app_now() - interval '7 days' AND published_at < app_now() - interval '7 days'`,
  inbox: `received_at < clock_timestamp() - interval '30 days'`,
  parked: `resolved_at < clock_timestamp() - interval '30 days'`,
  intent: `state IN ('applied', 'declined', 'aborted') AND created_at < app_now() - interval '7 days'`,
  idempotency: `expires_at < app_now() - interval '1 hour'`,
}

/** Deletes expired rows of the machinery's tables in short transactions; ends after the one under way when stopped. */
export async function sweep(worker: pg.Pool, stopping?: AbortSignal): Promise<void> {
  for (const [table, expired] of Object.entries(EXPIRED)) {
    let deleted: number | null = CHUNK
    while (deleted === CHUNK && !stopping?.aborted)
      ({ rowCount: deleted } = await worker.query(
        `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM ${table} WHERE ${expired} LIMIT ${CHUNK} FOR UPDATE SKIP LOCKED))`,
      ))
  }
}
