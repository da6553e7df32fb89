import type { Tx } from '@svc/transact'
import type { BillingStanding } from '../domain/billing-standing.ts'

export interface AnnouncedStanding {
  billingStatus: BillingStanding['billingStatus'] | null
  periodEnd: Date | null
  version: number
}

/** What was announced last of a merchant, held until the transaction ends: its billing changes one event at a time. */
export async function lockStanding(tx: Tx, merchantId: string): Promise<AnnouncedStanding> {
  await tx.sql('INSERT INTO billing_standings (merchant_id) VALUES ($1) ON CONFLICT DO NOTHING', [merchantId])
  const { rows } = await tx.sql<AnnouncedStanding>(
    `SELECT billing_status AS "billingStatus", period_end AS "periodEnd", version
       FROM billing_standings WHERE merchant_id = $1 FOR UPDATE`,
    [merchantId],
  )
  return rows[0]!
}

export async function storeStanding(
  tx: Tx,
  merchantId: string,
  { billingStatus, periodEnd }: BillingStanding,
  version: number,
): Promise<void> {
  await tx.sql(
    'UPDATE billing_standings SET billing_status = $2, period_end = $3, version = $4 WHERE merchant_id = $1',
    [merchantId, billingStatus, periodEnd, version],
  )
}
