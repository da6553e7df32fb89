import type { Database } from '@svc/database'
import type { Verdict } from '../domain/retry-schedule.ts'
import type { PostResult } from '../peers/post-webhook.ts'
import type { EndpointColumns } from './endpoints.ts'

const IN_FLIGHT_PER_LANE = 5
const BREAKER_FAILURES = 20
const PROBE_INTERVAL_MS = 30_000
const ALERT_FAILURES = 50

export interface Claimed extends EndpointColumns {
  id: string
  is_test: boolean
  event_id: string
  event: string
  occurred_at: Date
  body: Buffer
  traceparent: string | null
  attempts: number
  /** It may go to the live endpoint. */
  to_live: boolean
  /** The last attempt at its endpoint failed. */
  is_failing: boolean
  /** The database's clock at the claim. */
  now: Date
}

export interface Finished {
  id: string
  lease: string
  attemptId: string
  /** The number of this attempt, from 1. */
  attempt: number
  url: string | null
  result: PostResult
}

/** Leases due deliveries, fairly over merchants; those of a process that died come back when their lease ends. */
export async function claimDeliveries(
  database: Database,
  claim: { lease: string; limit: number; leaseMs: number },
): Promise<Claimed[]> {
  const { rows } = await database.worker.query<Claimed>({
    name: 'claim_deliveries',
    text: `SELECT c.*, coalesce(l.consecutive_failures > 0, false) AS is_failing
             FROM claim_deliveries($1, $2, $3, $4, $5, $6) c LEFT JOIN lane l USING (merchant_id, is_test)`,
    values: [claim.lease, claim.limit, claim.leaseMs, IN_FLIGHT_PER_LANE, BREAKER_FAILURES, PROBE_INTERVAL_MS],
  })
  return rows
}

/** Stores results and returns the ids that counted; others lost their lease or were reset meanwhile. */
export async function completeDeliveries(
  database: Database,
  finished: ReadonlyArray<Finished & { verdict: Verdict }>,
): Promise<Set<string>> {
  const column = <T>(of: (entry: Finished & { verdict: Verdict }) => T) => finished.map(of)
  const { rows } = await database.worker.query<{ id: string }>({
    name: 'complete_deliveries',
    text: `SELECT complete_deliveries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) AS id`,
    values: [
      column(({ id }) => id),
      column(({ lease }) => lease),
      column(({ attempt }) => attempt),
      column(({ verdict }) => verdict.status),
      column(({ verdict }) => (verdict.status === 'pending' ? verdict.delayMs : 0)),
      column(({ result }) => result.statusCode),
      column(({ result }) => result.error),
      column(({ url }) => url),
      column(({ attemptId }) => attemptId),
      column(({ result }) => result.at),
      column(({ result }) => result.durationMs),
      column(({ result }) => result.responseSnippet),
      BREAKER_FAILURES,
      PROBE_INTERVAL_MS,
      ALERT_FAILURES,
    ],
  })
  return new Set(rows.map(({ id }) => id))
}

/** Attempts made so far of those that still have their lease: a retry by hand sets them to 0 while an attempt runs. */
export async function attemptsUnderLease(
  database: Database,
  finished: readonly Finished[],
): Promise<Map<string, number>> {
  const { rows } = await database.worker.query<{ id: string; attempts: number }>(
    `SELECT d.id, d.attempts FROM unnest($1::uuid[], $2::uuid[]) AS t (id, lease)
       JOIN queued_delivery q ON q.delivery_id = t.id AND q.lease = t.lease
       JOIN delivery d ON d.id = t.id`,
    [finished.map(({ id }) => id), finished.map(({ lease }) => lease)],
  )
  return new Map(rows.map(({ id, attempts }) => [id, attempts]))
}

/** Milliseconds until a lane is due; null when none is. */
export async function msUntilDue(database: Database): Promise<number | null> {
  const { rows } = await database.worker.query<{ ms: number | null }>({
    name: 'ms_until_due',
    text: `SELECT (extract(epoch FROM min(due_at) - app_now()) * 1000)::float8 AS ms FROM lane WHERE due_at < 'infinity'`,
  })
  return rows[0]?.ms ?? null
}

const BACKLOG = `
SELECT count(*) FILTER (WHERE state = 'in_flight') AS in_flight, count(*) FILTER (WHERE state = 'due') AS due,
       count(*) FILTER (WHERE state = 'held') AS held, count(*) FILTER (WHERE state = 'disabled') AS disabled,
       count(*) FILTER (WHERE state = 'scheduled') AS scheduled
  FROM (SELECT CASE WHEN q.lease IS NOT NULL THEN 'in_flight'
                    WHEN e.merchant_id IS NULL OR NOT endpoint_enabled(e, q.is_test) THEN 'disabled'
                    WHEN q.claimable_at > app_now() THEN 'scheduled'
                    WHEN l.open_until > app_now() THEN 'held'
                    ELSE 'due' END AS state
          FROM queued_delivery q LEFT JOIN endpoint e ON e.merchant_id = q.merchant_id
          LEFT JOIN lane l ON l.merchant_id = q.merchant_id AND l.is_test = q.is_test) waiting`

/** How many deliveries wait, by state: only what is due shows that this service does too little. */
export async function countBacklog({ worker }: Database): Promise<Record<string, number>> {
  const { rows } = await worker.query<Record<string, number>>(BACKLOG)
  return rows[0] ?? {}
}

/** For how many seconds the lane that has waited longest has been due; 0 where none is. */
export async function longestLaneWait({ worker }: Database): Promise<number> {
  const { rows } = await worker.query<{ seconds: number }>(
    `SELECT coalesce(extract(epoch FROM app_now() - min(due_at)), 0)::float8 AS seconds FROM lane WHERE due_at <= (SELECT app_now())`,
  )
  return rows[0]!.seconds
}

/** How many endpoints there are, by how they do: the last attempt succeeded or failed, or they are switched off. */
export async function countLanes({ worker }: Database): Promise<Record<string, number>> {
  const { rows } = await worker.query<Record<string, number>>(`
    SELECT count(*) FILTER (WHERE is_enabled AND consecutive_failures = 0) AS ok,
           count(*) FILTER (WHERE is_enabled AND consecutive_failures > 0) AS failing,
           count(*) FILTER (WHERE NOT is_enabled) AS disabled
      FROM (SELECT l.consecutive_failures, e.merchant_id IS NOT NULL AND endpoint_enabled(e, l.is_test) AS is_enabled
              FROM lane l LEFT JOIN endpoint e ON e.merchant_id = l.merchant_id) lanes`)
  return rows[0]!
}
