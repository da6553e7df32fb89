import { ServiceError } from '@svc/errors'
import type { WITHDRAWAL_STATUSES } from '@svc/public-bodies'
import type { OwnerKind } from './operation.ts'

export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]

/** Money on its way out, with the bank account that it goes to. */
export interface Withdrawal {
  id: string
  ownerKind: OwnerKind
  ownerId: string
  payoutInstrumentId: string
  bankCode: string
  accountLast4: string
  recipientCode: string
  amountMinor: number
  currency: string
  status: WithdrawalStatus
  attempt: number
  providerReference: string | null
  approvals: number
  reviewedBy: string | null
  reviewedAt: Date | null
  submittedAt: Date | null
  verifyAt: Date | null
  paidAt: Date | null
  failureReason: string | null
  version: number
  createdAt: Date
}

/** What changes in the life of a withdrawal beside its status. */
export type WithdrawalChanges = Partial<
  Pick<
    Withdrawal,
    | 'attempt'
    | 'providerReference'
    | 'approvals'
    | 'reviewedBy'
    | 'reviewedAt'
    | 'submittedAt'
    | 'verifyAt'
    | 'paidAt'
    | 'failureReason'
  >
>

/** The withdrawal as it is once it has entered a status: one version later. */
export const entered = (before: Withdrawal, status: WithdrawalStatus, changes: WithdrawalChanges): Withdrawal => ({
  ...before,
  ...changes,
  status,
  version: before.version + 1,
})

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
