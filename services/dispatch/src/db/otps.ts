import type { Tx } from '@svc/outbox'
import type { Otp, OtpPurpose } from '../domain/otp.ts'

const COLUMNS = `id, phone, code_hmac AS "codeHmac", attempts, resend_at AS "resendAt", expires_at AS "expiresAt",
  used_at AS "usedAt"`

/** The latest code of the subject, held against other tries, or null. */
export async function lockOtp(tx: Tx, purpose: OtpPurpose, subjectId: string): Promise<Otp | null> {
  const { rows } = await tx.sql<Otp>(`SELECT ${COLUMNS} FROM otps WHERE purpose = $1 AND subject_id = $2 FOR UPDATE`, [
    purpose,
    subjectId,
  ])
  return rows[0] ?? null
}

/** Puts the code in the place of the one before, unless that one's cooldown still runs. True when it did. */
export async function replaceOtp(tx: Tx, purpose: OtpPurpose, subjectId: string, otp: Otp): Promise<boolean> {
  const { rows } = await tx.sql(
    `INSERT INTO otps (purpose, subject_id, id, phone, code_hmac, resend_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (purpose, subject_id) DO UPDATE SET
       id = excluded.id, phone = excluded.phone, code_hmac = excluded.code_hmac, attempts = 0,
       resend_at = excluded.resend_at, expires_at = excluded.expires_at, used_at = NULL
     WHERE otps.resend_at <= $8 RETURNING id`,
    [purpose, subjectId, otp.id, otp.phone, otp.codeHmac, otp.resendAt, otp.expiresAt, tx.now],
  )
  return rows.length > 0
}

export interface SendLogEntry {
  channel: 'rider_phone' | 'delivery_on_order_create' | 'pod_rider_request'
  phone: string
  orderId?: string
  riderId?: string
  provider: string
  status: 'sent' | 'failed' | 'skipped'
}

/** Records what became of a message. */
export async function logOtpSend(tx: Tx, entry: SendLogEntry): Promise<void> {
  const { channel, phone, orderId, riderId, provider, status } = entry
  await tx.sql(
    `INSERT INTO otp_send_log (id, channel, phone, order_id, rider_id, provider, status, created_at)
     VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7)`,
    [channel, phone, orderId ?? null, riderId ?? null, provider, status, tx.now],
  )
}
