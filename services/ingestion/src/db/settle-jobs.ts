import { batched, type Database } from '@svc/database'
import { DatabaseError } from 'pg'
import type { ClaimedJob, JobResult } from './normalization-jobs.ts'

/** What a try came to, of a hook that nothing more is to be done about. */
export interface Settled {
  job: Pick<ClaimedJob, 'id' | 'lease' | 'version' | 'merchantId'>
  result: JobResult & { status: 'succeeded' | 'ignored' }
}

/** Writes what a try came to and judges its hook; tells whether that was news, which it is not where the job was taken from it. */
export type SettleJob = (settled: Settled) => Promise<boolean>

const MAX_TOGETHER = 32

/** Hooks before jobs, as whoever hands on locks them. */
const SETTLE = `
  WITH given AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[], $5::normalization_status[], $6::text[], $7::text[],
                         $8::timestamptz[], $9::uuid[])
           AS one (id, lease, version, merchant_id, status, error, outcome, told_at, order_id)),
  held AS MATERIALIZED (
    SELECT id FROM inbound_hooks WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE),
  stored AS (
    UPDATE normalization_jobs j SET
      status = given.status, error = given.error, field = NULL, outcome = given.outcome, told_at = given.told_at,
      order_id = coalesce(given.order_id, j.order_id), lease = NULL, lease_until = NULL, next_at = app_now(),
      resolved_at = app_now()
    FROM given JOIN held USING (id)
    WHERE j.id = given.id AND j.lease = given.lease
    RETURNING j.id)
  UPDATE inbound_hooks h SET
    state = CASE given.status WHEN 'ignored' THEN 'ignored' ELSE 'applied' END::hook_state,
    reason = coalesce(given.error, h.reason), merchant_id = coalesce(given.merchant_id, h.merchant_id),
    resolved_at = CASE WHEN h.dead_at IS NOT NULL THEN app_now() END
  FROM given JOIN stored USING (id)
  WHERE h.id = given.id AND h.attempts = given.version AND h.state IN ('received', 'retrying')
  RETURNING h.id`

/** Jobs that end while one is being settled go together in the next statement, which is a transaction by itself. */
export function jobSettler(worker: Database['worker']): SettleJob {
  const together = async (settled: readonly Settled[]): Promise<boolean[]> => {
    const of = <T>(valueOf: (one: Settled) => T): T[] => settled.map(valueOf)
    const { rows } = await worker.query<{ id: string }>({
      name: 'settle_jobs',
      text: SETTLE,
      values: [
        of(({ job }) => job.id),
        of(({ job }) => job.lease),
        of(({ job }) => job.version),
        of(({ job }) => job.merchantId),
        of(({ result }) => result.status),
        of(({ result }) => result.error),
        of(({ result }) => result.outcome ?? null),
        of(({ result }) => result.toldAt ?? null),
        of(({ result }) => result.orderId ?? null),
      ],
    })
    const judged = new Set(rows.map(({ id }) => id))
    return settled.map(({ job }) => judged.has(job.id))
  }
  return batched({
    limit: MAX_TOGETHER,
    together,
    alone: async (one) => (await together([one]))[0] ?? false,
    // What the server itself refuses it has rolled back.
    isUndone: (error) => error instanceof DatabaseError,
  })
}
