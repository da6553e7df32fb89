import type { Tx } from '@svc/transact'
import type { BillingNews } from '../domain/billing-news.ts'
import type { SubscriptionState } from '../domain/billing-standing.ts'

export interface SubscriptionRow extends SubscriptionState {
  code: string
  merchantId: string
  planCode: string | null
  isNotRenewing: boolean
  manageUrl: string | null
  manageUrlAt: Date | null
}

const COLUMNS = `subscription_code AS code, merchant_id AS "merchantId", plan_code AS "planCode",
  period_end AS "periodEnd", is_not_renewing AS "isNotRenewing", has_ended AS "hasEnded",
  last_paid_at AS "lastPaidAt", last_failed_at AS "lastFailedAt", manage_url AS "manageUrl", manage_url_at AS "manageUrlAt"`

/** Adds what an event says to what is known: dates only grow, flags only rise, the first plan stays. */
export async function addNews(tx: Tx, merchantId: string, code: string, news: BillingNews): Promise<void> {
  await tx.sql(
    `INSERT INTO subscriptions AS s (subscription_code, merchant_id, plan_code, period_end, is_not_renewing, has_ended,
                                     last_paid_at, last_failed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (subscription_code) DO UPDATE SET
       plan_code = coalesce(s.plan_code, excluded.plan_code),
       period_end = greatest(s.period_end, excluded.period_end),
       is_not_renewing = s.is_not_renewing OR excluded.is_not_renewing,
       has_ended = s.has_ended OR excluded.has_ended,
       last_paid_at = greatest(s.last_paid_at, excluded.last_paid_at),
       last_failed_at = greatest(s.last_failed_at, excluded.last_failed_at)`,
    [
      code,
      merchantId,
      news.planCode ?? null,
      news.periodEnd ?? null,
      news.isNotRenewing ?? false,
      news.hasEnded ?? false,
      news.lastPaidAt ?? null,
      news.lastFailedAt ?? null,
    ],
  )
}

/** All of a merchant's, newest first. */
export async function listSubscriptions(sql: Tx['sql'], merchantId: string): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>(
    `SELECT ${COLUMNS} FROM subscriptions WHERE merchant_id = $1 ORDER BY created_at DESC, subscription_code`,
    [merchantId],
  )
  return rows
}

/** Whose subscription it is; null where it was never heard of. */
export async function merchantOfSubscription(tx: Tx, code: string): Promise<string | null> {
  const { rows } = await tx.sql<{ merchant_id: string }>(
    'SELECT merchant_id FROM subscriptions WHERE subscription_code = $1',
    [code],
  )
  return rows[0]?.merchant_id ?? null
}

export async function storeManageUrl(tx: Tx, code: string, url: string): Promise<void> {
  await tx.sql('UPDATE subscriptions SET manage_url = $2, manage_url_at = app_now() WHERE subscription_code = $1', [
    code,
    url,
  ])
}
