import type { Tx } from '@svc/transact'
import type { SubscriptionState } from '../domain/billing-standing.ts'

export interface SubscriptionIntent {
  reference: string
  merchantId: string
  kind: 'checkout' | 'authorization'
  planCode: string
  amountMinor: number
  currency: string
}

export interface NewSubscriptionIntent extends SubscriptionIntent {
  /** How long a payment lasts, in words of SQL. */
  period: string
}

export interface SubscriptionIntentRow extends SubscriptionIntent {
  state: 'open' | 'paid' | 'closed'
  subscriptionCode: string | null
  /** When the period that was paid for ends; null where nothing was. */
  paidUntil: Date | null
  createdAt: Date
}

const COLUMNS = `reference, merchant_id AS "merchantId", kind, plan_code AS "planCode", amount_minor AS "amountMinor",
  currency, state, subscription_code AS "subscriptionCode", paid_at + period AS "paidUntil", created_at AS "createdAt"`

/** Longer than the provider may take to answer: until then an attempt may be under way. */
const ATTEMPT = `interval '1 minute'`
/** For how long the subscription of a payment may be on its way. */
const PATIENCE = `interval '2 days'`
/** A payment whose subscription is not announced. */
const IS_UNMATCHED = `state = 'paid' AND subscription_code IS NULL AND paid_at IS NOT NULL`

/** Writes down what will be asked of the provider; a payment can be verified from the given time on. */
export async function storeIntent(tx: Tx, intent: NewSubscriptionIntent, verifyAt: Date | null): Promise<void> {
  const { reference, merchantId, kind, planCode, amountMinor, currency, period } = intent
  await tx.sql(
    `INSERT INTO subscription_intents (reference, merchant_id, kind, plan_code, amount_minor, currency, period, verify_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [reference, merchantId, kind, planCode, amountMinor, currency, period, verifyAt],
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

/** Its period begins with the first word of the payment; whether a subscription came of it is looked at in two days. */
export async function markPaid(tx: Tx, reference: string): Promise<void> {
  await tx.sql(
    `UPDATE subscription_intents SET state = 'paid', paid_at = coalesce(paid_at, app_now()),
            verify_at = CASE state WHEN 'paid' THEN verify_at ELSE app_now() + ${PATIENCE} END
      WHERE reference = $1`,
    [reference],
  )
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
    `UPDATE subscription_intents SET subscription_code = NULL,
            verify_at = CASE WHEN paid_at IS NOT NULL THEN app_now() + ${PATIENCE} END
      WHERE subscription_code = $2 AND reference <> $1`,
    [reference, subscriptionCode],
  )
  await tx.sql(`UPDATE subscription_intents SET subscription_code = $2, state = 'paid' WHERE reference = $1`, [
    reference,
    subscriptionCode,
  ])
}

/**
 * Gives the oldest payment that waits for a subscription the oldest subscription of its plan that has none and was not
 * known before it: the provider names no reference in subscriptions. One event makes at most one pair.
 */
export async function matchSubscription(tx: Tx, merchantId: string): Promise<void> {
  await tx.sql(
    `UPDATE subscription_intents SET subscription_code = pair.code, state = 'paid'
       FROM (SELECT i.reference, s.subscription_code AS code
               FROM subscription_intents i
               JOIN subscriptions s USING (merchant_id, plan_code)
              WHERE i.merchant_id = $1 AND i.subscription_code IS NULL AND s.created_at >= i.created_at
                AND (i.state = 'paid' OR (i.state = 'open' AND i.kind = 'authorization'))
                AND coalesce(i.paid_at, i.created_at) > app_now() - ${PATIENCE}
                AND NOT EXISTS (SELECT FROM subscription_intents taken WHERE taken.subscription_code = s.subscription_code)
              ORDER BY i.state = 'open', i.created_at, i.reference, s.created_at, s.subscription_code
              LIMIT 1) pair
      WHERE subscription_intents.reference = pair.reference`,
    [merchantId],
  )
}

/** What the payments without a subscription stand for, each for the period that was paid. */
export async function unmatchedPayments(tx: Tx, merchantId: string): Promise<SubscriptionState[]> {
  const { rows } = await tx.sql<{ periodEnd: Date }>(
    `SELECT paid_at + period AS "periodEnd" FROM subscription_intents WHERE merchant_id = $1 AND ${IS_UNMATCHED}`,
    [merchantId],
  )
  return rows.map(({ periodEnd }) => ({
    periodEnd,
    hasEnded: periodEnd <= tx.now,
    lastPaidAt: null,
    lastFailedAt: null,
  }))
}

/** The reference of the oldest payment for the plan whose subscription may be on its way; null where there is none. */
export async function findAwaited(tx: Tx, merchantId: string, planCode: string): Promise<string | null> {
  const { rows } = await tx.sql<{ reference: string }>(
    `SELECT reference FROM subscription_intents
      WHERE merchant_id = $1 AND plan_code = $2 AND ${IS_UNMATCHED} AND paid_at > app_now() - ${PATIENCE}
      ORDER BY created_at, reference LIMIT 1`,
    [merchantId, planCode],
  )
  return rows[0]?.reference ?? null
}

/** Takes a checkout that is due to be looked at, for as long as the lease; null where none is. */
export async function claimDueIntent(tx: Tx, leaseMs: number): Promise<SubscriptionIntentRow | null> {
  const { rows } = await tx.sql<SubscriptionIntentRow>(
    `UPDATE subscription_intents SET verify_at = app_now() + make_interval(secs => $1 / 1000.0)
      WHERE reference = (SELECT reference FROM subscription_intents WHERE verify_at <= (SELECT app_now())
                          ORDER BY verify_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING ${COLUMNS}`,
    [leaseMs],
  )
  return rows[0] ?? null
}

/** When to look at it next, unless it has moved on meanwhile; null: no more, and what is announced later still counts. */
export async function verifyNext(
  tx: Tx,
  { reference, state }: Pick<SubscriptionIntentRow, 'reference' | 'state'>,
  at: Date | null,
): Promise<void> {
  await tx.sql('UPDATE subscription_intents SET verify_at = $2 WHERE reference = $1 AND state = $3', [
    reference,
    at,
    state,
  ])
}

/** Ends attempts of which nothing came in a day: no subscription of a later day is theirs. */
export async function closeStaleAttempts(tx: Tx): Promise<void> {
  await tx.sql(
    `UPDATE subscription_intents SET state = 'closed'
      WHERE state = 'open' AND kind = 'authorization' AND created_at < (SELECT app_now()) - interval '1 day'`,
  )
}
