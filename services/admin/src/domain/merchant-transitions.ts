import { ServiceError } from '@svc/errors'
import type { BUSINESS_APPROVAL_STATUSES, KYB_STATUSES } from './enumerations.ts'

export type KybStatus = (typeof KYB_STATUSES)[number]
export type BusinessApprovalStatus = (typeof BUSINESS_APPROVAL_STATUSES)[number]

// An operator may decide without a submission: papers also arrive outside the product.
const KYB: Record<KybStatus, readonly KybStatus[]> = {
  not_submitted: ['pending_review', 'verified', 'rejected'],
  pending_review: ['verified', 'rejected'],
  verified: ['pending_review', 'rejected'],
  rejected: ['pending_review', 'verified'],
}

const APPROVAL: Record<BusinessApprovalStatus, readonly BusinessApprovalStatus[]> = {
  none: ['pending'],
  pending: ['approved', 'rejected'],
  approved: ['pending', 'rejected'],
  rejected: ['pending', 'approved'],
}

function refused(field: string, from: string, to: string, details: object): ServiceError {
  return new ServiceError('invalid_transition', {
    message: `${field} cannot go from ${from} to ${to}.`,
    details: { field, from, to, ...details },
  })
}

/** Throws invalid_transition unless business verification may go from one status to the other. */
export function assertKybTransition(from: KybStatus, to: KybStatus): void {
  if (!KYB[from].includes(to)) throw refused('kyb_status', from, to, { allowed: KYB[from] })
}

/** Throws invalid_transition unless the approval may move; only a verified business can become pending or approved. */
export function assertApprovalTransition(
  from: BusinessApprovalStatus,
  to: BusinessApprovalStatus,
  kybStatus: KybStatus,
): void {
  if (!APPROVAL[from].includes(to)) throw refused('business_approval_status', from, to, { allowed: APPROVAL[from] })
  if (to !== 'rejected' && kybStatus !== 'verified')
    throw refused('business_approval_status', from, to, { kyb_status: kybStatus })
}
