import { ServiceError, validationError } from '@svc/errors'
import type { Tx } from '@svc/transact'
import type { Config } from '../config.ts'
import { rowOf, write } from './rows.ts'

/** Codes that one number is sent within an hour, over all purposes and callers. */
const PER_NUMBER_AND_HOUR = 30
/** Of these the last are for log-ins from networks that the rider is known at: nobody else uses them up. */
const KEPT_FOR_KNOWN = 5
/** Notices that it is sent besides: whoever has got into an account silences none by codes, and keeps nobody out by notices. */
const NOTICES_PER_NUMBER_AND_HOUR = 10

interface Message {
  phone: string
  /** The merchant for whose fleet or order it is; null: no merchant's. */
  merchantId: string | null
}

interface CodeMessage extends Message {
  /** From where it is asked for, where it is a log-in's. */
  place?: { isKnown: boolean; subjectId: string }
}

type Limits = Pick<Config, 'smsCountries' | 'otpMerchantPerDay' | 'rateRiderOtpPhonePerHour'>

/**
 * Counts a code before it is sent. Throws validation_error for a number of a country that the operator has not
 * admitted, and rate_limited where the number has had its share of the hour, the place from which a log-in is asked for has,
 * or the merchant that of the day.
 */
export async function countMessage(tx: Tx, limits: Limits, { phone, merchantId, place }: CodeMessage): Promise<void> {
  requireCountry(limits, phone)
  if (place) await countInHour(tx, BY_PLACE, place.subjectId, limits.rateRiderOtpPhonePerHour)
  await countInHour(tx, BY_NUMBER, phone, place?.isKnown ? PER_NUMBER_AND_HOUR : PER_NUMBER_AND_HOUR - KEPT_FOR_KNOWN)
  if (merchantId !== null) await countForMerchant(tx, merchantId, limits.otpMerchantPerDay)
}

/**
 * Counts a notice before it is sent, so that of two at once one gets the last place; throws as countMessage does. Answers
 * when that was: what the provider does not take gives its place back (`uncountNotice`), and a crash in between costs one.
 */
export async function countNotice(tx: Tx, limits: Limits, { phone, merchantId }: Message): Promise<Date> {
  requireCountry(limits, phone)
  await countInHour(tx, BY_NUMBER, noticesTo(phone), NOTICES_PER_NUMBER_AND_HOUR)
  if (merchantId !== null) await countForMerchant(tx, merchantId, limits.otpMerchantPerDay)
  return tx.now
}

/** Takes back the count of a notice that was counted then and that the provider did not take. */
export async function uncountNotice(tx: Tx, { phone, merchantId }: Message, countedAt: Date): Promise<void> {
  await write(tx, 'UPDATE code_numbers SET sent = array_remove(sent, $2::timestamptz(3)) WHERE phone = $1', [
    noticesTo(phone),
    countedAt,
  ])
  if (merchantId === null) return
  await write(
    tx,
    `UPDATE code_merchants SET sent = sent - 1
      WHERE merchant_id = $1 AND day = ($2::timestamptz AT TIME ZONE 'UTC')::date`,
    [merchantId, countedAt],
  )
}

/** What they are counted under, beside the codes of the number. */
const noticesTo = (phone: string): string => `${phone} notices`

function requireCountry({ smsCountries }: Limits, phone: string): void {
  if (smsCountries.some((country) => phone.startsWith(`+${country}`))) return
  const message = 'Messages are not sent to numbers of this country.'
  throw validationError([{ field: 'phone', rule: 'country', message }])
}

const BY_NUMBER = { table: 'code_numbers', key: 'phone' }
const BY_PLACE = { table: 'login_codes', key: 'subject_id' }

async function countInHour(tx: Tx, { table, key }: typeof BY_NUMBER, subject: string, allowed: number): Promise<void> {
  const counted = await write(
    tx,
    `INSERT INTO ${table} AS n (${key}, sent, last_at) VALUES ($1, ARRAY[$2::timestamptz(3)], $2)
     ON CONFLICT (${key}) DO UPDATE SET last_at = excluded.last_at,
       sent = ARRAY(SELECT t FROM unnest(n.sent) t WHERE t > $2::timestamptz - interval '1 hour') || excluded.sent
     WHERE (SELECT count(*) FROM unnest(n.sent) t WHERE t > $2::timestamptz - interval '1 hour') < $3`,
    [subject, tx.now, allowed],
  )
  if (counted === 1) return
  // Room is there when all but one less than are allowed have passed.
  const freed = await rowOf<{ seconds: number }>(
    tx,
    `SELECT ceil(extract(epoch FROM t + interval '1 hour' - $2::timestamptz))::int AS seconds
       FROM ${table}, unnest(sent) t WHERE ${key} = $1 AND t > $2::timestamptz - interval '1 hour'
      ORDER BY t DESC OFFSET $3::int - 1 LIMIT 1`,
    [subject, tx.now, allowed],
  )
  throw new ServiceError('rate_limited', { retryAfterSeconds: Math.max(1, freed?.seconds ?? 1) })
}

async function countForMerchant(tx: Tx, merchantId: string, perDay: number): Promise<void> {
  const counted = await write(
    tx,
    `INSERT INTO code_merchants AS m (merchant_id, day, sent) VALUES ($1, ($2::timestamptz AT TIME ZONE 'UTC')::date, 1)
     ON CONFLICT (merchant_id, day) DO UPDATE SET sent = m.sent + 1 WHERE m.sent < $3`,
    [merchantId, tx.now, perDay],
  )
  if (counted === 1) return
  const midnight = Math.ceil((tx.now.getTime() + 1) / 86_400_000) * 86_400_000
  throw new ServiceError('rate_limited', { retryAfterSeconds: Math.ceil((midnight - tx.now.getTime()) / 1000) })
}
