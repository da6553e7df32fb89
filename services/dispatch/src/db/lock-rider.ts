import type { Tx } from '@svc/outbox'
import type { AssignableRider } from '../domain/assignable.ts'

/** The rider, or null. Going online or offline and being given orders take turns until the transaction ends. */
export async function lockRider(tx: Tx, riderId: string): Promise<AssignableRider | null> {
  const { rows } = await tx.sql<AssignableRider>(
    `SELECT id, rider_type = 'freelancer' AS "isFreelancer", merchant_id AS "merchantId", kyc_status AS "kycStatus",
            is_online AS "isOnline"
       FROM riders WHERE id = $1 FOR UPDATE`,
    [riderId],
  )
  return rows[0] ?? null
}
