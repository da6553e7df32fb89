import { randomInt } from 'node:crypto'
import { digestEquals, digestsOf, type Peppers } from '@svc/credentials'
import { ServiceError } from '@svc/errors'

export type OtpPurpose = 'rider_login' | 'rider_phone' | 'fleet_invite' | 'pod'

export const OTP_TTL_SECONDS = 600
export const OTP_MAX_TRIES = 5
/** The code of the sandbox: of its rider's phone, and of test orders. */
export const SANDBOX_CODE = '000000'

/** The latest code that a subject was sent. */
export interface Otp {
  /** What has one code at a time. */
  subjectId: string
  id: string
  phone: string
  codeHmac: Uint8Array
  attempts: number
  resendAt: Date
  expiresAt: Date
  usedAt: Date | null
}

/** What is told of a code that was sent. */
export interface SentOtp {
  expiresInSeconds: number
  cooldownSeconds: number
  resendAt: Date
}

/** What is told of a code sent at that moment. */
export const sentOtp = (now: Date, { otpCooldownSeconds }: { otpCooldownSeconds: number }): SentOtp => ({
  expiresInSeconds: OTP_TTL_SECONDS,
  cooldownSeconds: otpCooldownSeconds,
  resendAt: new Date(now.getTime() + otpCooldownSeconds * 1000),
})

/** Six decimal digits that cannot be foreseen. */
export const mintCode = (): string => randomInt(1_000_000).toString().padStart(6, '0')

/** What is kept of a code: worthless without the pepper, and under another id. */
export const codeHmac = (peppers: Peppers, otpId: string, code: string): Buffer =>
  digestsOf(peppers, `${otpId}:${code}`)[0]

/** Whether the digits are those that were sent, used up or not. */
export const isCode = (peppers: Peppers, { id, codeHmac: sent }: Otp, code: string): boolean =>
  digestsOf(peppers, `${id}:${code}`).some((digest) => digestEquals(digest, sent))

/** What becomes of a try. `counts`: it takes one of the tries. */
export type JudgedTry = { ok: true; otp: Otp } | { ok: false; counts: boolean; refusal: ServiceError }

/** Judges a try. The right code is refused too once it was used, has expired or five wrong ones came before it. */
export function judgeTry(otp: Otp | null, isRight: (otp: Otp) => boolean, now: Date): JudgedTry {
  if (!otp || otp.usedAt) return { ok: false, counts: false, refusal: invalidOtp(0) }
  if (otp.expiresAt <= now) return { ok: false, counts: false, refusal: new ServiceError('otp_expired') }
  if (otp.attempts >= OTP_MAX_TRIES) {
    const retryAfterSeconds = secondsUntil(otp.resendAt, now)
    return { ok: false, counts: false, refusal: new ServiceError('otp_locked', { retryAfterSeconds }) }
  }
  if (isRight(otp)) return { ok: true, otp }
  return { ok: false, counts: true, refusal: invalidOtp(OTP_MAX_TRIES - otp.attempts - 1) }
}

interface LoginTry {
  isRight: (otp: Otp) => boolean
  /** It comes from a network that the rider has logged in from. */
  isKnown: boolean
  now: Date
}

/**
 * Judges a try against all log-in codes of a phone. One that is right is so wherever it was asked for. A refusal tells a
 * stranger of the code for strangers alone, of which the phone is the subject: whether the rider is logging in elsewhere is
 * nobody's business.
 */
export function judgeLogin(otps: readonly Otp[], { isRight, isKnown, now }: LoginTry): JudgedTry {
  const shown = isKnown ? otps : otps.filter(({ subjectId, phone }) => subjectId === phone)
  const judged = otps.map((otp) => judgeTry(otp, isRight, now))
  const right = judged.find(({ ok }) => ok)
  if (right) return right
  const [latest = null] = shown.toSorted((one, other) => other.expiresAt.getTime() - one.expiresAt.getTime())
  const told = shown.filter((otp) => !otp.usedAt && otp.expiresAt > now)
  const open = told.toSorted((one, other) => one.attempts - other.attempts)[0]
  return judgeTry(open ?? latest, () => false, now)
}

/** The 400 of a wrong code. */
export const invalidOtp = (attemptsLeft: number): ServiceError =>
  new ServiceError('invalid_otp', { details: { attempts_left: attemptsLeft } })

/** The 429 of a call that asks again too soon; `now` may lie before the call that it lost to. */
export const otpCooldown = (resendAt: Date, now: Date, cooldownSeconds: number): ServiceError =>
  new ServiceError('otp_cooldown', {
    retryAfterSeconds: Math.max(1, Math.min(secondsUntil(resendAt, now), cooldownSeconds)),
  })

export const secondsUntil = (then: Date, now: Date): number =>
  Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1000))
