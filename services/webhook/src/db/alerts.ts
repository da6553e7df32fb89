import type { Database } from '@svc/database'

type Worker = Database['worker']

/** Due alerts whose merchant is known; the claim is a lease, so that a crash repeats the mail under its idempotency key. */
const CLAIM = `
UPDATE alert a SET tries = a.tries + 1, next_at = app_now() + $1 * interval '1 millisecond'
  FROM merchant m
 WHERE m.merchant_id = a.merchant_id AND a.id = (
   SELECT t.id FROM alert t JOIN merchant o ON o.merchant_id = t.merchant_id
    WHERE t.sent_at IS NULL AND t.next_at <= (SELECT app_now()) ORDER BY t.next_at LIMIT 1 FOR UPDATE OF t SKIP LOCKED)
RETURNING a.id, a.kind, a.is_test AS "isTest", a.url, a.last_error AS "lastError", a.tries, m.name, m.email`

export interface ClaimedAlert {
  id: string
  kind: 'first_dead' | 'endpoint_failing' | 'endpoint_disabled'
  isTest: boolean
  url: string | null
  lastError: string | null
  /** This one included. */
  tries: number
  /** Of the merchant. */
  name: string
  email: string
}

/** The next alert that is due; no other process takes it for so long. */
export async function claimAlert(worker: Worker, leaseMs: number): Promise<ClaimedAlert | undefined> {
  const { rows } = await worker.query<ClaimedAlert>(CLAIM, [leaseMs])
  return rows[0]
}

/** Makes a claimed alert due again after the delay. */
export async function postponeAlert(worker: Worker, id: string, delayMs: number): Promise<void> {
  await worker.query(`UPDATE alert SET next_at = app_now() + $2 * interval '1 millisecond' WHERE id = $1`, [
    id,
    delayMs,
  ])
}

/** The alert is done with. */
export async function storeAlertSent(worker: Worker, id: string): Promise<void> {
  await worker.query('UPDATE alert SET sent_at = app_now() WHERE id = $1', [id])
}
