import type { Tenant } from '@svc/database'
import type { Checkout } from '@svc/payments'
import type { Idempotency, Tx } from '@svc/transact'
import type { Topup } from '../domain/topup.ts'

export interface StoredTopup extends Topup {
  callbackUrl: string | null
  requestHash: Buffer | null
  state: 'opening' | 'open' | 'refused' | 'credited' | 'expired'
  authorizationUrl: string | null
  accessCode: string | null
  createdAt: Date
}

export interface NewTopup extends Topup {
  callbackUrl: string | undefined
  idempotency: Idempotency | undefined
  verifyAfterMs: number
}

/** Longer than any call to open a checkout takes. */
const ATTEMPT = `interval '30 seconds'`
/** For how long a key names its request. */
const KEY_LIFE = `interval '24 hours'`
const COLUMNS = `reference, merchant_id AS "merchantId", amount_minor AS "amountMinor", currency, callback_url AS "callbackUrl",
  request_hash AS "requestHash", state, authorization_url AS "authorizationUrl", access_code AS "accessCode", created_at AS "createdAt"`

/**
 * Stores a top-up before the provider hears of it; false where another one has its key. A key whose time is over, or whose
 * attempt ended without a page, is free again.
 */
export async function insertTopup(tx: Tx, topup: NewTopup): Promise<boolean> {
  await tx.sql(
    `UPDATE topup_intents SET idempotency_key = NULL
      WHERE merchant_id = $1 AND idempotency_key = $2
        AND (created_at <= app_now() - ${KEY_LIFE} OR authorization_url IS NULL AND attempt_until <= app_now())`,
    [topup.merchantId, topup.idempotency?.key],
  )
  const { rowCount } = await tx.sql(
    `INSERT INTO topup_intents
       (reference, merchant_id, amount_minor, currency, callback_url, idempotency_key, request_hash, attempt_until, verify_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, app_now() + ${ATTEMPT}, app_now() + make_interval(secs => $8))
     ON CONFLICT (merchant_id, idempotency_key) DO NOTHING`,
    [
      topup.reference,
      topup.merchantId,
      topup.amountMinor,
      topup.currency,
      topup.callbackUrl ?? null,
      topup.idempotency?.key ?? null,
      topup.idempotency?.request_hash ?? null,
      topup.verifyAfterMs / 1_000,
    ],
  )
  return rowCount === 1
}

/** The top-up that has this key: one with a page, or one whose attempt may be under way. */
export async function findTopupByKey(tx: Tx, { merchantId }: Tenant, key: string): Promise<StoredTopup | null> {
  const { rows } = await tx.sql<StoredTopup>(
    `SELECT ${COLUMNS} FROM topup_intents
      WHERE merchant_id = $1 AND idempotency_key = $2 AND created_at > app_now() - ${KEY_LIFE}
        AND (authorization_url IS NOT NULL OR attempt_until > app_now())`,
    [merchantId, key],
  )
  return rows[0] ?? null
}

/** Keeps the page of a top-up, which may have been paid meanwhile. */
export async function storeCheckout(tx: Tx, reference: string, checkout: Checkout): Promise<void> {
  await tx.sql(
    `UPDATE topup_intents SET authorization_url = $2, access_code = $3,
            state = CASE state WHEN 'opening' THEN 'open' ELSE state END
      WHERE reference = $1`,
    [reference, checkout.authorizationUrl, checkout.accessCode],
  )
}

/** The attempt is over without a page: its key is free. What was refused is not asked about any more. */
export async function giveUpAttempt(tx: Tx, reference: string, isRefused: boolean): Promise<void> {
  await tx.sql('UPDATE topup_intents SET idempotency_key = NULL WHERE reference = $1', [reference])
  if (isRefused)
    await tx.sql(
      `UPDATE topup_intents SET state = 'refused', verify_at = NULL WHERE reference = $1 AND state = 'opening'`,
      [reference],
    )
}

/** The top-up of this reference, locked until the transaction ends. */
export async function lockTopup(tx: Tx, reference: string): Promise<StoredTopup | null> {
  const { rows } = await tx.sql<StoredTopup>(`SELECT ${COLUMNS} FROM topup_intents WHERE reference = $1 FOR UPDATE`, [
    reference,
  ])
  return rows[0] ?? null
}

export async function markCredited(tx: Tx, reference: string): Promise<void> {
  await tx.sql(
    `UPDATE topup_intents SET state = 'credited', provider_status = 'success', verify_at = NULL,
            credited_at = coalesce(credited_at, app_now())
      WHERE reference = $1`,
    [reference],
  )
}

/** The top-up that is due first, for this caller alone while `leaseMs` lasts; due again after that. */
export async function claimDueTopup(tx: Tx, leaseMs: number): Promise<string | null> {
  const { rows } = await tx.sql<{ reference: string }>(
    `UPDATE topup_intents SET verify_at = app_now() + make_interval(secs => $1)
      WHERE reference = (SELECT reference FROM topup_intents WHERE verify_at <= (SELECT app_now())
                          ORDER BY verify_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING reference`,
    [leaseMs / 1_000],
  )
  return rows[0]?.reference ?? null
}

/** Keeps what the provider said and when to ask next; null ends the asking. */
export async function storeVerification(
  tx: Tx,
  reference: string,
  providerStatus: string | null,
  verifyAt: Date | null,
): Promise<void> {
  await tx.sql(
    `UPDATE topup_intents SET provider_status = coalesce($2, provider_status), verify_at = $3::timestamptz,
            state = CASE WHEN $3::timestamptz IS NULL THEN 'expired' ELSE state END
      WHERE reference = $1`,
    [reference, providerStatus, verifyAt],
  )
}
