import type { Tx } from '@svc/transact'
import { type CommissionSettings, NO_SETTINGS } from '../domain/commission.ts'

const COLUMNS = `automation, trigger_statuses AS "triggerStatuses", merchant_debit AS "merchantDebit",
  require_payment_verified AS "requirePaymentVerified", rules, updated_at AS "updatedAt"`

/** A merchant's own settings; none where it never had any. */
export async function findCommissionSettings(
  sql: Tx['sql'],
  merchantId: string,
  { lock }: { lock: boolean } = { lock: false },
): Promise<CommissionSettings> {
  const { rows } = await sql<CommissionSettings>(
    `SELECT ${COLUMNS} FROM commission_settings WHERE merchant_id = $1 ${lock ? 'FOR UPDATE' : ''}`,
    [merchantId],
  )
  return rows[0] ?? NO_SETTINGS
}

export async function storeCommissionSettings(tx: Tx, merchantId: string, own: CommissionSettings): Promise<void> {
  await tx.sql(
    `INSERT INTO commission_settings (merchant_id, automation, trigger_statuses, merchant_debit,
                                      require_payment_verified, rules, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (merchant_id) DO UPDATE SET
       automation = excluded.automation, trigger_statuses = excluded.trigger_statuses,
       merchant_debit = excluded.merchant_debit, require_payment_verified = excluded.require_payment_verified,
       rules = excluded.rules, updated_at = excluded.updated_at`,
    [
      merchantId,
      own.automation,
      own.triggerStatuses,
      own.merchantDebit,
      own.requirePaymentVerified,
      JSON.stringify(own.rules),
      own.updatedAt,
    ],
  )
}
