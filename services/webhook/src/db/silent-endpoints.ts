import type { Database } from '@svc/database'
import type { Tx } from '@svc/transact'
import { query } from './query.ts'

const BATCH = 100

/** An endpoint that fails since before it was to be disabled. */
export interface SilentEndpoint {
  merchantId: string
  isTest: boolean
}

// A failure or two of a shop with few events say nothing. Sandbox events that go to the live endpoint disable nothing live.
const IS_SILENT = `l.failing_since < app_now() - $1 * interval '1 day' AND l.consecutive_failures >= $2
  AND endpoint_enabled(e, l.is_test) AND (NOT l.is_test OR e.test_url IS NOT NULL)`

/** Endpoints without a success for so many days, and with so many failures since: those that have been silent longest. */
export async function findSilentEndpoints(
  { worker }: Database,
  days: number,
  failures: number,
): Promise<SilentEndpoint[]> {
  const { rows } = await worker.query<SilentEndpoint>(
    `SELECT l.merchant_id AS "merchantId", l.is_test AS "isTest"
       FROM lane l JOIN endpoint e ON e.merchant_id = l.merchant_id WHERE ${IS_SILENT}
      ORDER BY l.failing_since, l.merchant_id, l.is_test LIMIT ${BATCH}`,
    [days, failures],
  )
  return rows
}

/** Disables it and lets its owner be told, unless it has answered or was changed meanwhile; false then. */
export async function disableSilentEndpoint(
  tx: Tx,
  { merchantId, isTest }: SilentEndpoint,
  days: number,
  failures: number,
): Promise<boolean> {
  // As a patch does: neither overwrites what the other has decided.
  await query(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`endpoint ${merchantId}`])
  const prefix = isTest ? 'test_' : ''
  const disabled = await query<{ url: string }>(
    tx,
    `UPDATE endpoint e SET ${prefix}enabled = false, ${prefix}disabled_reason = 'no_success_for_' || $1 || '_days'
       FROM lane l WHERE l.merchant_id = e.merchant_id AND l.merchant_id = $3 AND l.is_test = $4 AND ${IS_SILENT}
     RETURNING e.${prefix}url AS url`,
    [days, failures, merchantId, isTest],
  )
  if (!disabled[0]) return false
  await query(
    tx,
    `INSERT INTO alert (merchant_id, is_test, kind, url) VALUES ($1, $2, 'endpoint_disabled', $3)
     ON CONFLICT (merchant_id, is_test, kind) DO NOTHING`,
    [merchantId, isTest, disabled[0].url],
  )
  return true
}
