import { ServiceError, validationError } from '@svc/errors'
import type { Tx } from '@svc/transact'
import type { Config } from '../config.ts'
import { rowOf, write } from './rows.ts'

/** Codes that one number is sent within an hour, over all purposes and callers. */
const PER_NUMBER_AND_HOUR = 30

interface Message {
  phone: string
  /** The merchant for whose fleet or order it is; null: no merchant's. */
  merchantId: string | null
}

type Limits = Pick<Config, 'smsCountries' | 'otpMerchantPerDay'>

/**
 * Counts a message before it is sent. Throws validation_error for a number of a country that the operator has not
 * admitted, and rate_limited where the number has had its share of the hour, or the merchant that of the day.
 */
export async function countMessage(tx: Tx, limits: Limits, { phone, merchantId }: Message): Promise<void> {
  if (!limits.smsCountries.some((country) => phone.startsWith(`+${country}`))) {
    const message = 'Messages are not sent to numbers of this country.'
    throw validationError([{ field: 'phone', rule: 'country', message }])
  }
  await countForNumber(tx, phone)
  if (merchantId !== null) await countForMerchant(tx, merchantId, limits.otpMerchantPerDay)
}

async function countForNumber(tx: Tx, phone: string): Promise<void> {
  const counted = await write(
    tx,
    `INSERT INTO code_numbers AS n (phone, sent, last_at) VALUES ($1, ARRAY[$2::timestamptz(3)], $2)
     ON CONFLICT (phone) DO UPDATE SET last_at = excluded.last_at,
       sent = ARRAY(SELECT t FROM unnest(n.sent) t WHERE t > $2::timestamptz - interval '1 hour') || excluded.sent
     WHERE (SELECT count(*) FROM unnest(n.sent) t WHERE t > $2::timestamptz - interval '1 hour') < ${PER_NUMBER_AND_HOUR}`,
    [phone, tx.now],
  )
  if (counted === 1) return
  const oldest = await rowOf<{ seconds: number }>(
    tx,
    `SELECT ceil(extract(epoch FROM min(t) + interval '1 hour' - $2::timestamptz))::int AS seconds
       FROM code_numbers, unnest(sent) t WHERE phone = $1 AND t > $2::timestamptz - interval '1 hour'`,
    [phone, tx.now],
  )
  throw new ServiceError('rate_limited', { retryAfterSeconds: Math.max(1, oldest?.seconds ?? 1) })
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
