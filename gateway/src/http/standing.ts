import type { Standing as StandingMessage } from '@svc/contracts/admin/v1/credential_service'
import type { Standing } from '@svc/grpc'

/** A verdict's merchant and where it stands. A verdict without them is a fault of ours, never an open door. */
export function standingOf(message: StandingMessage | undefined): { merchantId: string; standing: Standing } {
  if (!message?.merchant_id) throw new Error('a verdict came without its merchant')
  return {
    merchantId: message.merchant_id,
    standing: {
      billingStatus: message.billing_status,
      kybStatus: message.kyb_status,
      businessApprovalStatus: message.business_approval_status,
    },
  }
}
