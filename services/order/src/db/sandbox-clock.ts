import type { Tx } from '@svc/transact'

/** Moves the clock of the merchant's sandbox on; answers how often it was moved, and by how much in all. */
export async function moveClock(
  tx: Tx,
  merchantId: string,
  seconds: number,
): Promise<{ version: number; totalSeconds: number }> {
  const { rows } = await tx.sql<{ version: number; totalSeconds: number }>(
    `INSERT INTO sandbox_clock AS c (merchant_id, version, total_seconds) VALUES ($1, 1, $2)
     ON CONFLICT (merchant_id) DO UPDATE SET version = c.version + 1, total_seconds = c.total_seconds + $2
     RETURNING version, total_seconds::float8 AS "totalSeconds"`,
    [merchantId, seconds],
  )
  return rows[0]!
}

/** Brings everything that waits for a time in the merchant's sandbox nearer by so much. */
export async function bringTimersNearer(tx: Tx, merchantId: string, seconds: number): Promise<void> {
  await tx.sql(
    `UPDATE sim_timer t SET fires_at = t.fires_at - make_interval(secs => $2)
       FROM (SELECT order_id, step FROM sim_timer WHERE merchant_id = $1 AND state = 'pending'
              ORDER BY order_id, step FOR UPDATE) AS waiting
      WHERE t.order_id = waiting.order_id AND t.step = waiting.step`,
    [merchantId, seconds],
  )
}
