import { ServiceError } from '@svc/errors'

/** Whether a merchant may trade, as the gateway established it with the caller. */
export interface Standing {
  billingStatus: string
  kybStatus: string
  businessApprovalStatus: string
}

const BILLING_BLOCKS: ReadonlySet<string> = new Set(['past_due', 'canceled', 'compliance_hold'])

/** billing_blocked for a merchant whose billing status stops writes; a standing nobody could establish stops them too. */
export function billingRefusal(standing: Standing | undefined): ServiceError | null {
  if (!standing) return new ServiceError('service_unavailable')
  if (!BILLING_BLOCKS.has(standing.billingStatus)) return null
  return new ServiceError('billing_blocked', { details: { billing_status: standing.billingStatus } })
}

/** kyb_required unless the business is verified and approved. */
export function kybRefusal(standing: Standing | undefined): ServiceError | null {
  if (!standing) return new ServiceError('service_unavailable')
  const { kybStatus, businessApprovalStatus } = standing
  if (kybStatus === 'verified' && businessApprovalStatus === 'approved') return null
  return new ServiceError('kyb_required', {
    details: { kyb_status: kybStatus, business_approval_status: businessApprovalStatus },
  })
}
