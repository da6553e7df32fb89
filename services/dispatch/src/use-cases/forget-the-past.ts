import type { Context } from '../context.ts'

/** Jobs that go in one statement. */
const BATCH = 500

/**
 * Removes what nobody asks for any more: ended orders with their offers and rounds, legs that speeds are no longer learnt
 * from, sent codes that cannot be used, and the record of who was sent one. Returns how many orders went.
 */
export async function forgetThePast({ config, database }: Pick<Context, 'config' | 'database'>): Promise<number> {
  const { dispatchRetentionDays: days, sandboxRetentionDays: testDays } = config
  let count = 0
  for (;;) {
    const { rowCount } = await database.worker.query(
      `WITH past AS MATERIALIZED (
         SELECT order_id FROM dispatch_jobs
          WHERE order_created_at < app_now() - make_interval(days => $1)
             OR is_test AND order_created_at < app_now() - make_interval(days => $2)
          ORDER BY order_created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
       offers AS (DELETE FROM dispatch_offers USING past WHERE dispatch_offers.order_id = past.order_id),
       rounds AS (DELETE FROM dispatch_rounds USING past WHERE dispatch_rounds.order_id = past.order_id),
       active AS (DELETE FROM rider_active USING past WHERE rider_active.order_id = past.order_id)
       DELETE FROM dispatch_jobs USING past WHERE dispatch_jobs.order_id = past.order_id`,
      [days, Math.min(days, testDays)],
    )
    count += rowCount ?? 0
    if ((rowCount ?? 0) < BATCH) break
  }
  for (const [table, column] of [
    ['completed_legs', 'completed_at'],
    ['otp_send_log', 'created_at'],
    ['pod_photos', 'created_at'],
  ] as const) {
    await database.worker.query(`DELETE FROM ${table} WHERE ${column} < app_now() - make_interval(days => $1)`, [days])
  }
  await database.worker.query("DELETE FROM otps WHERE expires_at < app_now() - interval '1 day'")
  return count
}
