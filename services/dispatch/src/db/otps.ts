import { randomUUID } from 'node:crypto'
import type { ServiceError } from '@svc/errors'
import type { Page } from '@svc/inputs'
import type { Tx } from '@svc/transact'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import {
  codeHmac,
  isCode,
  type JudgedTry,
  judgeLogin,
  judgeTry,
  mintCode,
  OTP_MAX_TRIES,
  OTP_TTL_SECONDS,
  type Otp,
  type OtpPurpose,
  otpCooldown,
  type SentOtp,
  sentOtp,
} from '../domain/otp.ts'
import { countMessage } from './code-limits.ts'
import { type Listed, listed } from './listed.ts'
import type { LoginPlace } from './login-places.ts'
import { rowsOf, type Source, write } from './rows.ts'

/** The latest code of the subject, held against other tries, or null. */
export const lockOtp = async (tx: Tx, purpose: OtpPurpose, subjectId: string): Promise<Otp | null> =>
  (await lockOtps(tx, purpose, [subjectId], 'attempts'))[0] ?? null

type Tries = 'attempts' | 'attempts_known'

/** The latest codes of subjects, held against other tries, with how many of one kind they have had. */
const lockOtps = (tx: Tx, purpose: OtpPurpose, subjectIds: readonly string[], tries: Tries): Promise<Otp[]> =>
  rowsOf<Otp>(
    tx,
    `SELECT subject_id, id, phone, code_hmac, ${tries} AS attempts, resend_at, expires_at, used_at
       FROM otps WHERE purpose = $1 AND subject_id = ANY($2) ORDER BY subject_id FOR UPDATE`,
    [purpose, subjectIds],
  )

interface OtpRequest {
  purpose: OtpPurpose
  /** What has one code at a time: the phone and place that log in, the rider who proves one, the order handed over. */
  subjectId: string
  phone: string
  /** The merchant for whose fleet or order it is; null: no merchant's. */
  merchantId: string | null
  /** From where it is asked for, where it is a log-in's. */
  place?: LoginPlace
}

export interface IssuedOtp {
  id: string
  phone: string
  /** For the message alone. */
  code: string
  sent: SentOtp
}

/**
 * Makes the one valid code of the subject; of many calls at once one gets it and the others otp_cooldown. It is counted
 * against what its number and its merchant may be sent.
 */
export async function issueOtp(
  tx: Tx,
  config: Config,
  { purpose, subjectId, phone, merchantId, place }: OtpRequest,
): Promise<IssuedOtp> {
  const { otpPepper, otpCooldownSeconds } = config
  const id = randomUUID()
  const code = mintCode()
  const sent = sentOtp(tx.now, { otpCooldownSeconds })
  const expiresAt = new Date(tx.now.getTime() + OTP_TTL_SECONDS * 1000)
  const replaced = await write(
    tx,
    `INSERT INTO otps (purpose, subject_id, id, phone, code_hmac, resend_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (purpose, subject_id) DO UPDATE SET
       id = excluded.id, phone = excluded.phone, code_hmac = excluded.code_hmac, attempts = 0, attempts_known = 0,
       resend_at = excluded.resend_at, expires_at = excluded.expires_at, used_at = NULL
     WHERE otps.resend_at <= $8`,
    [purpose, subjectId, id, phone, codeHmac(otpPepper, id, code), sent.resendAt, expiresAt, tx.now],
  )
  if (replaced === 1) {
    await countMessage(tx, config, { phone, merchantId, place })
    return { id, phone, code, sent }
  }
  const earlier = await lockOtp(tx, purpose, subjectId)
  throw otpCooldown(earlier?.resendAt ?? sent.resendAt, tx.now, otpCooldownSeconds)
}

interface Try {
  purpose: OtpPurpose
  subjectId: string
  code: string
  /** Where given, the code must have gone there. */
  phone?: string
}

/** Does the work in the transaction that uses the code up; throws what is wrong with the code. A wrong try is counted. */
export function usingOtp<T>(
  ctx: Pick<Context, 'config' | 'transact'>,
  tried: Try,
  work: (tx: Tx, otp: Otp) => Promise<T>,
): Promise<T> {
  return committing(ctx, async (tx) => {
    const judged = await tryOtp(tx, ctx.config, tried)
    return judged.ok ? { ok: true, result: await work(tx, judged.otp) } : judged
  })
}

/**
 * The same of the log-in codes of a phone. One is good wherever it is typed in, but tries of strangers take none from the
 * networks that the rider is known at, and are told nothing of the codes that were asked for there.
 */
export async function tryLogin(
  tx: Tx,
  { otpPepper }: Pick<Config, 'otpPepper'>,
  { isKnown, subjectIds }: LoginPlace,
  code: string,
): Promise<JudgedTry> {
  const tries = isKnown ? 'attempts_known' : 'attempts'
  const otps = await lockOtps(tx, 'rider_login', subjectIds, tries)
  const judged = judgeLogin(otps, { isRight: (otp) => isCode(otpPepper, otp, code), isKnown, now: tx.now })
  const live = `purpose = 'rider_login' AND subject_id = ANY($1) AND used_at IS NULL`
  // Whoever is in needs no other code; a wrong one may have been meant for each.
  if (judged.ok) await write(tx, `UPDATE otps SET used_at = app_now() WHERE ${live}`, [subjectIds])
  else {
    const open = `${live} AND expires_at > $2 AND ${tries} < ${OTP_MAX_TRIES}`
    await write(tx, `UPDATE otps SET ${tries} = ${tries} + 1 WHERE ${open}`, [subjectIds, tx.now])
  }
  return judged
}

type Outcome<T> = { ok: true; result: T } | { ok: false; refusal: ServiceError }

/** Does the work in one transaction, which is committed with the count of a try that it refuses. */
export async function committing<T>(
  { transact }: Pick<Context, 'transact'>,
  work: (tx: Tx) => Promise<Outcome<T>>,
): Promise<T> {
  const outcome = await transact('every tenant', work)
  if (!outcome.ok) throw outcome.refusal
  return outcome.result
}

/** Uses the code up, or counts the wrong try. */
async function tryOtp(tx: Tx, { otpPepper }: Config, { purpose, subjectId, code, phone }: Try): Promise<JudgedTry> {
  const isRight = (otp: Otp): boolean => (phone === undefined || otp.phone === phone) && isCode(otpPepper, otp, code)
  const judged = judgeTry(await lockOtp(tx, purpose, subjectId), isRight, tx.now)
  if (judged.ok || judged.counts) {
    const effect = judged.ok ? 'used_at = app_now()' : 'attempts = attempts + 1'
    await write(tx, `UPDATE otps SET ${effect} WHERE purpose = $1 AND subject_id = $2`, [purpose, subjectId])
  }
  return judged
}

/** Another code may be asked for at once. */
export async function endCooldown(tx: Tx, id: string): Promise<void> {
  await write(tx, 'UPDATE otps SET resend_at = $2 WHERE id = $1', [id, tx.now])
}

export const SEND_CHANNELS = ['rider_phone', 'delivery_on_order_create', 'pod_rider_request'] as const

export interface SendLogEntry {
  channel: (typeof SEND_CHANNELS)[number]
  phone: string
  orderId?: string
  riderId?: string
  provider: string
  status: 'sent' | 'failed' | 'skipped'
}

/** Records what became of a message. */
export async function logOtpSend(tx: Tx, entry: SendLogEntry): Promise<void> {
  const { channel, phone, orderId, riderId, provider, status } = entry
  await write(
    tx,
    `INSERT INTO otp_send_log (id, channel, phone, order_id, rider_id, provider, status, created_at)
     VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7)`,
    [channel, phone, orderId ?? null, riderId ?? null, provider, status, tx.now],
  )
}

export type OtpSendLog = Omit<SendLogEntry, 'riderId'> & { id: string; createdAt: Date }

export interface SendLogFilter {
  /** Digits that the phone contains. */
  digits?: string
  orderId?: string
  channel?: SendLogEntry['channel']
}

/** What became of every message, newest first. */
export const pageOfSendLog = (
  source: Source,
  { digits, orderId, channel }: SendLogFilter,
  page: Page,
): Promise<Listed<OtpSendLog>> =>
  listed<OtpSendLog>(source, {
    columns: 'l.id, l.channel, l.phone, l.order_id, l.provider, l.status, l.created_at',
    from: 'otp_send_log l',
    where: {
      // Digits alone: there is nothing in them that LIKE reads otherwise.
      'l.phone LIKE ?': digits === undefined ? undefined : `%${digits}%`,
      'l.order_id = ?::uuid': orderId,
      'l.channel = ?': channel,
    },
    orderBy: 'l.created_at DESC, l.id DESC',
    page,
  })
