import type { Tx } from '@svc/transact'

interface KybSubmission {
  payloadJson: string
  submittedAt: Date
  /** The business has submitted nothing before. */
  isFirst: boolean
}

/** Keeps what the merchant has submitted, in place of what it had before. */
export async function storeSubmission(tx: Tx, merchantId: string, payloadJson: string): Promise<void> {
  await tx.sql(
    `INSERT INTO kyb_submissions (merchant_id, payload, submitted_at, is_first) VALUES ($1, $2, $3, true)
     ON CONFLICT (merchant_id) DO UPDATE SET payload = excluded.payload, submitted_at = excluded.submitted_at,
       is_first = false`,
    [merchantId, payloadJson, tx.now],
  )
}

/** What the merchant has submitted last; undefined: nothing. */
export async function findSubmission(tx: Tx, merchantId: string): Promise<KybSubmission | undefined> {
  const { rows } = await tx.sql<KybSubmission>(
    `SELECT payload::text AS "payloadJson", submitted_at AS "submittedAt", is_first AS "isFirst"
       FROM kyb_submissions WHERE merchant_id = $1`,
    [merchantId],
  )
  return rows[0]
}
