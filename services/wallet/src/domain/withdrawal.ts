import { ServiceError } from '@svc/errors'
import type { OwnerKind } from './operation.ts'

export const WITHDRAWAL_STATUSES = [
  'pending_review',
  'approved',
  'processing',
  'paid',
  'failed',
  'rejected',
  'cancelled',
] as const

export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]

/** Throws invalid_state where the withdrawal is in any other status. */
export function requireStatus({ status }: { status: WithdrawalStatus }, wanted: WithdrawalStatus): void {
  if (status !== wanted) throw new ServiceError('invalid_state', { details: { status } })
}

/** Throws feature_disabled where the operator has not switched withdrawals on. */
export function requireWithdrawalsEnabled({ withdrawalsEnabled }: { withdrawalsEnabled: boolean }): void {
  if (!withdrawalsEnabled) throw new ServiceError('feature_disabled', { details: { feature: 'withdrawals' } })
}

/** Who may be paid out. */
export const PAYEES = ['merchant', 'rider'] as const satisfies OwnerKind[]

const REFERENCE = /^wd_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_([1-9][0-9]{0,8}))?$/

/** What the provider knows an attempt to pay out by. */
export const payoutReference = (withdrawalId: string, attempt: number): string =>
  attempt === 1 ? `wd_${withdrawalId}` : `wd_${withdrawalId}_${attempt}`

/** The withdrawal and the attempt that a reference names, or null where it is none of ours. */
export function readPayoutReference(reference: string): { withdrawalId: string; attempt: number } | null {
  const [, withdrawalId, attempt = '1'] = REFERENCE.exec(reference) ?? []
  return withdrawalId === undefined ? null : { withdrawalId, attempt: Number(attempt) }
}
