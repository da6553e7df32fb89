import { randomUUID } from 'node:crypto'
import type { Tx } from '@svc/outbox'
import type { Config } from '../../config.ts'
import { lockOtp, replaceOtp } from '../../db/otps.ts'
import { codeHmac, mintCode, OTP_TTL_SECONDS, type OtpPurpose, otpCooldown } from '../../domain/otp.ts'

interface Wanted {
  purpose: OtpPurpose
  /** Who has one code at a time: the phone that logs in, the rider who proves one, the order handed over. */
  subjectId: string
  phone: string
}

export interface IssuedOtp {
  id: string
  phone: string
  /** For the message alone. */
  code: string
  sent: SentOtp
}

export interface SentOtp {
  expiresInSeconds: number
  cooldownSeconds: number
  resendAt: Date
}

/** Makes the one valid code of the subject; of many who ask at once one gets it and the others otp_cooldown. */
export async function issueOtp(tx: Tx, config: Config, { purpose, subjectId, phone }: Wanted): Promise<IssuedOtp> {
  const id = randomUUID()
  const code = mintCode()
  const sent = sentNow(tx, config)
  const otp = {
    id,
    phone,
    codeHmac: codeHmac(config.otpPepper, id, code),
    attempts: 0,
    resendAt: sent.resendAt,
    expiresAt: new Date(tx.now.getTime() + OTP_TTL_SECONDS * 1000),
    usedAt: null,
  }
  if (await replaceOtp(tx, purpose, subjectId, otp)) return { id, phone, code, sent }
  const earlier = await lockOtp(tx, purpose, subjectId)
  throw otpCooldown(earlier?.resendAt ?? sent.resendAt, tx.now)
}

/** What is told of a code sent in this transaction. */
export function sentNow(tx: Tx, { otpCooldownSeconds }: Config): SentOtp {
  return {
    expiresInSeconds: OTP_TTL_SECONDS,
    cooldownSeconds: otpCooldownSeconds,
    resendAt: new Date(tx.now.getTime() + otpCooldownSeconds * 1000),
  }
}
