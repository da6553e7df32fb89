import { ServiceError } from '@svc/errors'

const BLOCKED: ReadonlySet<string> = new Set(['past_due', 'canceled', 'compliance_hold'])

/** Throws billing_blocked where the billing status of the merchant stops writes. */
export function requireBilling(billingStatus: string): void {
  if (BLOCKED.has(billingStatus))
    throw new ServiceError('billing_blocked', { details: { billing_status: billingStatus } })
}
