import type { Tx } from '@svc/outbox'

export interface SubscriptionIntent {
  reference: string
  merchantId: string
  kind: 'checkout' | 'authorization'
  planCode: string
  amountMinor: number
  currency: string
}

export interface SubscriptionIntentRow extends SubscriptionIntent {
  createdAt: Date
}

const COLUMNS = `reference, merchant_id AS "merchantId", kind, plan_code AS "planCode", amount_minor AS "amountMinor",
  currency, created_at AS "createdAt"`

/** Longer than the provider may take to answer: until then an attempt may be under way. */
const ATTEMPT = `interval '1 minute'`

/** Writes down what will be asked of the provider; a payment can be verified from the given time on. */
export async function storeIntent(tx: Tx, intent: SubscriptionIntent, verifyAt: Date | null): Promise<void> {
  await tx.sql(
    `INSERT INTO subscription_intents (reference, merchant_id, kind, plan_code, amount_minor, currency, verify_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [intent.reference, intent.merchantId, intent.kind, intent.planCode, intent.amountMinor, intent.currency, verifyAt],
  )
}

/**
 * Begins another attempt of what may have taken effect already. Null where nothing is open; the caller holds the
 * merchant's standing.
 */
export async function reopenAttempt(
  tx: Tx,
  merchantId: string,
  planCode: string,
): Promise<{ reference: string; isUnderWay: boolean } | null> {
  const { rows } = await tx.sql<{ reference: string; isUnderWay: boolean }>(
    `SELECT reference, attempted_at > app_now() - ${ATTEMPT} AS "isUnderWay" FROM subscription_intents
      WHERE merchant_id = $1 AND plan_code = $2 AND kind = 'authorization' AND state = 'open'`,
    [merchantId, planCode],
  )
  const open = rows[0]
  if (open && !open.isUnderWay)
    await tx.sql('UPDATE subscription_intents SET attempted_at = app_now() WHERE reference = $1', [open.reference])
  return open ?? null
}

export async function findIntent(tx: Tx, reference: string): Promise<SubscriptionIntentRow | null> {
  const { rows } = await tx.sql<SubscriptionIntentRow>(
    `SELECT ${COLUMNS} FROM subscription_intents WHERE reference = $1`,
    [reference],
  )
  return rows[0] ?? null
}

export async function markPaid(tx: Tx, reference: string): Promise<void> {
  await tx.sql(`UPDATE subscription_intents SET state = 'paid', verify_at = NULL WHERE reference = $1`, [reference])
}

/** The provider has refused it, or it can no longer matter. */
export async function closeIntent(tx: Tx, reference: string): Promise<void> {
  await tx.sql(
    `UPDATE subscription_intents SET state = 'closed', verify_at = NULL WHERE reference = $1 AND state = 'open'`,
    [reference],
  )
}

/** Which subscription the provider made for an intent; one that was matched by guess takes its chance again. */
export async function nameSubscription(tx: Tx, reference: string, subscriptionCode: string): Promise<void> {
  await tx.sql(
    `UPDATE subscription_intents SET subscription_code = NULL WHERE subscription_code = $2 AND reference <> $1`,
    [reference, subscriptionCode],
  )
  await tx.sql(`UPDATE subscription_intents SET subscription_code = $2, state = 'paid' WHERE reference = $1`, [
    reference,
    subscriptionCode,
  ])
}

/**
 * Gives the oldest payment without a subscription the oldest subscription of its plan that has none and was not known
 * before it: the provider names no reference in subscriptions. One event makes at most one pair.
 */
export async function matchSubscription(tx: Tx, merchantId: string): Promise<void> {
  await tx.sql(
    `UPDATE subscription_intents SET subscription_code = pair.code, state = 'paid'
       FROM (SELECT i.reference, s.subscription_code AS code
               FROM subscription_intents i
               JOIN subscriptions s USING (merchant_id, plan_code)
              WHERE i.merchant_id = $1 AND i.subscription_code IS NULL AND s.created_at >= i.created_at
                AND (i.state = 'paid' OR (i.state = 'open' AND i.kind = 'authorization'))
                AND NOT EXISTS (SELECT FROM subscription_intents taken WHERE taken.subscription_code = s.subscription_code)
              ORDER BY i.state = 'open', i.created_at, i.reference, s.created_at, s.subscription_code
              LIMIT 1) pair
      WHERE subscription_intents.reference = pair.reference`,
    [merchantId],
  )
}

/** Whether something is paid for of which no subscription is announced yet. */
export async function awaitsSubscription(tx: Tx, merchantId: string): Promise<boolean> {
  const { rows } = await tx.sql(
    `SELECT FROM subscription_intents WHERE merchant_id = $1 AND subscription_code IS NULL AND state = 'paid' LIMIT 1`,
    [merchantId],
  )
  return rows.length > 0
}

/** Takes a checkout that is due to be verified, for as long as the lease; null where none is. */
export async function claimDueIntent(tx: Tx, leaseMs: number): Promise<SubscriptionIntentRow | null> {
  const { rows } = await tx.sql<SubscriptionIntentRow>(
    `UPDATE subscription_intents SET verify_at = app_now() + make_interval(secs => $1 / 1000.0)
      WHERE reference = (SELECT reference FROM subscription_intents WHERE verify_at <= app_now()
                          ORDER BY verify_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING ${COLUMNS}`,
    [leaseMs],
  )
  return rows[0] ?? null
}

/** When to ask about it next; null: no more, and a payment that is announced later still counts. */
export async function verifyNext(tx: Tx, reference: string, at: Date | null): Promise<void> {
  await tx.sql(`UPDATE subscription_intents SET verify_at = $2 WHERE reference = $1 AND state = 'open'`, [
    reference,
    at,
  ])
}

/** Ends attempts of which nothing came in a day: no subscription of a later day is theirs. */
export async function closeStaleAttempts(tx: Tx): Promise<void> {
  await tx.sql(
    `UPDATE subscription_intents SET state = 'closed'
      WHERE state = 'open' AND kind = 'authorization' AND created_at < app_now() - interval '1 day'`,
  )
}
