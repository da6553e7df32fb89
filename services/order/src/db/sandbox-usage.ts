import type { Tx } from '@svc/transact'

/** Counts bytes for the merchant's day, UTC; false where they are beyond the limit, and then they are not counted. */
export async function countSandboxBytes(tx: Tx, merchantId: string, bytes: number, limit: number): Promise<boolean> {
  const { rows } = await tx.sql(
    `INSERT INTO sandbox_usage AS u (merchant_id, day, bytes)
     SELECT $1, today, $2 FROM (SELECT ($4::timestamptz AT TIME ZONE 'UTC')::date AS today) AS at WHERE $2::bigint <= $3
     ON CONFLICT (merchant_id) DO UPDATE SET day = excluded.day,
       bytes = excluded.bytes + CASE WHEN u.day = excluded.day THEN u.bytes ELSE 0 END
     WHERE excluded.bytes + CASE WHEN u.day = excluded.day THEN u.bytes ELSE 0 END <= $3
     RETURNING 1`,
    [merchantId, bytes, limit, tx.now],
  )
  return rows.length === 1
}
