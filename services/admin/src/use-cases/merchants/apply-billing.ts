import type { BillingFact } from '@svc/contracts/wallet/v1/billing_service'
import { systemCaller } from '@svc/grpc'
import type { OrmTx } from '@svc/transact'
import { lockMerchant, takeBillingVersion } from '../../db/merchants.ts'
import { BILLING_STATUSES } from '../../domain/enumerations.ts'
import { applyMerchantPatch } from './update-merchant.ts'

/**
 * Takes over what the payment provider says of a merchant's subscription, unless newer news was taken over before; what is
 * absent stays. A compliance hold is the operator's: payments neither set nor lift it, and the operator who lifts it names
 * the status from which news goes on. Live keys do not hang on billing, so that no epoch is raised.
 */
export async function applyBilling(tx: OrmTx, fact: BillingFact, version: number): Promise<void> {
  const { merchant_id, billing_status, billing_period_end } = fact
  const { billingStatus } = await lockMerchant(tx.em, merchant_id)
  if (!(await takeBillingVersion(tx, merchant_id, version))) return
  const isFree = billing_status !== undefined && billingStatus !== 'compliance_hold'
  await applyMerchantPatch(tx, systemCaller('wallet'), merchant_id, {
    billingStatus: isFree ? paidStatus(billing_status) : undefined,
    billingPeriodEnd: billing_period_end === undefined ? undefined : new Date(billing_period_end),
  })
}

const PAID_STATUSES = BILLING_STATUSES.filter((status) => status !== 'compliance_hold')

function paidStatus(word: string) {
  const status = PAID_STATUSES.find((one) => one === word)
  if (status === undefined) throw new TypeError(`payments know no billing status ${word}`)
  return status
}
