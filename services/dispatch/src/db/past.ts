import { type Source, write } from './rows.ts'

/** Jobs that go in one statement. */
const BATCH = 500

/** Removes orders created before so many days, test orders before theirs, with their offers and rounds; answers how many. */
export async function deletePastJobs(source: Source, days: number, testDays: number): Promise<number> {
  let count = 0
  for (;;) {
    const deleted = await write(
      source,
      `WITH past AS MATERIALIZED (
         SELECT order_id FROM dispatch_jobs
          WHERE order_created_at < app_now() - make_interval(days => $1)
             OR is_test AND order_created_at < app_now() - make_interval(days => $2)
          ORDER BY order_created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
       offers AS (DELETE FROM dispatch_offers USING past WHERE dispatch_offers.order_id = past.order_id),
       rounds AS (DELETE FROM dispatch_rounds USING past WHERE dispatch_rounds.order_id = past.order_id),
       active AS (DELETE FROM rider_active USING past WHERE rider_active.order_id = past.order_id)
       DELETE FROM dispatch_jobs USING past WHERE dispatch_jobs.order_id = past.order_id`,
      [days, testDays],
    )
    count += deleted
    if (deleted < BATCH) return count
  }
}

/** Removes what hangs on no job: learnt legs, records of sent codes and of photos after so many days, codes after one. */
export async function deletePastRecords(source: Source, days: number): Promise<void> {
  for (const [table, column] of [
    ['completed_legs', 'completed_at'],
    ['otp_send_log', 'created_at'],
    ['pod_photos', 'created_at'],
  ] as const) {
    await write(source, `DELETE FROM ${table} WHERE ${column} < app_now() - make_interval(days => $1)`, [days])
  }
  await write(source, "DELETE FROM code_numbers WHERE last_at < app_now() - interval '1 day'")
  await write(source, "DELETE FROM code_merchants WHERE day < (app_now() - interval '2 days')::date")
  await write(source, "DELETE FROM otps WHERE expires_at < app_now() - interval '1 day'")
}
