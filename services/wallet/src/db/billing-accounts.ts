import type { Tx } from '@svc/transact'
import type { BillingTerms } from '../domain/usage.ts'

/** What a merchant pays by, and the cycle it is in. */
interface BillingAccount extends BillingTerms {
  cycleStart: Date
  cycleEnd: Date
}

/**
 * Cycles are months that end as the paid period does, however many of them it has left, or else calendar months. They are
 * counted back from one end, so that they follow upon each other also where months are of unequal length.
 */
const SQL = `
WITH account AS (
  SELECT coalesce(m.merchant_tier, 'pay_as_you_go') AS tier, m.billing_included_allowance, m.billing_overage_fee_minor,
         coalesce(m.timezone, 'Africa/Lagos') AS zone, m.billing_period_end AS period_end
    FROM (SELECT $1::uuid AS id) asked LEFT JOIN merchants m USING (id)),
local AS (
  SELECT *, $2::timestamptz AT TIME ZONE zone AS now,
         CASE WHEN period_end > $2 THEN period_end AT TIME ZONE zone
              ELSE date_trunc('month', $2 AT TIME ZONE zone) + interval '1 month' END AS last_end
    FROM account),
cycle AS (
  SELECT *, (SELECT max(n) FROM generate_series(0, 1 + (12 * extract(year FROM age(last_end, now))
                                                       + extract(month FROM age(last_end, now)))::int) n
              WHERE last_end - make_interval(months => n) > now) AS left_over
    FROM local)
SELECT tier, billing_included_allowance AS "includedAllowance", billing_overage_fee_minor AS "overageFeeMinor",
       (last_end - make_interval(months => left_over + 1)) AT TIME ZONE zone AS "cycleStart",
       (last_end - make_interval(months => left_over)) AT TIME ZONE zone AS "cycleEnd"
  FROM cycle`

/** A merchant's terms and present cycle; those of a merchant whose fact is on the way are the plainest. */
export async function readBillingAccount(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  merchantId: string,
): Promise<BillingAccount> {
  const { rows } = await sql<BillingAccount>(SQL, [merchantId, now])
  return rows[0]!
}
