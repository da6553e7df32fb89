import { ServiceError } from '@svc/errors'

/** Whether a merchant may trade, as the gateway established it with the caller. */
export interface Standing {
  billingStatus: string
  kybStatus: string
  businessApprovalStatus: string
}

/** What the operator asks of a merchant's standing. */
export interface TradingRules {
  /** The business is verified and approved. */
  verified: boolean
  /** Its billing status is none that stops writes. */
  paid: boolean
}

const BILLING_BLOCKS: ReadonlySet<string> = new Set(['past_due', 'canceled', 'compliance_hold'])

/**
 * Why a merchant may not trade: kyb_required, then billing_blocked; null where no rule refuses it. A rule also refuses a
 * merchant whose standing the gateway could not establish.
 */
export function tradingRefusal(standing: Standing | undefined, { verified, paid }: TradingRules): ServiceError | null {
  if (!verified && !paid) return null
  if (!standing) return new ServiceError('service_unavailable')
  const { billingStatus, kybStatus, businessApprovalStatus } = standing
  if (verified && !(kybStatus === 'verified' && businessApprovalStatus === 'approved')) {
    return new ServiceError('kyb_required', {
      details: { kyb_status: kybStatus, business_approval_status: businessApprovalStatus },
    })
  }
  if (!paid || !BILLING_BLOCKS.has(billingStatus)) return null
  return new ServiceError('billing_blocked', { details: { billing_status: billingStatus } })
}
