import { digestEquals } from '@svc/credentials'
import type { Tx } from '@svc/outbox'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { lockOtp } from '../../db/otps.ts'
import { codeHmac, judgeTry, type Otp, type OtpPurpose, type Verdict } from '../../domain/otp.ts'

interface Try {
  purpose: OtpPurpose
  subjectId: string
  code: string
  /** Where given, the code must have gone there. */
  phone?: string
}

/** Whether the digits are those that were sent, used up or not. */
export const isCode = ({ otpPepper }: Config, { id, codeHmac: sent }: Otp, code: string): boolean =>
  digestEquals(codeHmac(otpPepper, id, code), sent)

/**
 * Uses the code up, or counts the wrong try. A refusal is an outcome and not an error: the try has to be committed, so
 * throw it after the transaction (usingOtp does).
 */
export async function verifyOtp(tx: Tx, config: Config, tried: Try): Promise<Verdict> {
  const { purpose, subjectId, code, phone } = tried
  const isRight = (otp: Otp): boolean => (phone === undefined || otp.phone === phone) && isCode(config, otp, code)
  const verdict = judgeTry(await lockOtp(tx, purpose, subjectId), isRight, tx.now)
  if (verdict.ok || verdict.counts) {
    const effect = verdict.ok ? 'used_at = app_now()' : 'attempts = attempts + 1'
    await tx.sql(`UPDATE otps SET ${effect} WHERE purpose = $1 AND subject_id = $2`, [purpose, subjectId])
  }
  return verdict
}

/** Does the work in the transaction that uses the code up; throws what is wrong with the code. */
export async function usingOtp<T>(ctx: Context, tried: Try, work: (tx: Tx, otp: Otp) => Promise<T>): Promise<T> {
  const outcome = await ctx.transact('every tenant', async (tx) => {
    const verified = await verifyOtp(tx, ctx.config, tried)
    return verified.ok ? { ok: true as const, result: await work(tx, verified.otp) } : verified
  })
  if (!outcome.ok) throw outcome.refusal
  return outcome.result
}
