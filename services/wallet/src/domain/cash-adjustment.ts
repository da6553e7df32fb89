import { ServiceError, validationError } from '@svc/errors'
import type { CashAccount } from './cash.ts'

export const ADJUSTMENT_STATUSES = ['pending', 'applied', 'rejected'] as const
export type AdjustmentStatus = (typeof ADJUSTMENT_STATUSES)[number]

/** What an operator changes of the cash in a rider's hands. */
export interface CashAdjustment {
  id: string
  accountId: string
  riderId: string
  merchantId: string
  currency: string
  status: AdjustmentStatus
  /** Positive: the rider has more in hand. */
  amountMinor: number
  reason: string
  proposedBy: string
  decidedBy: string | null
  createdAt: Date
  decidedAt: Date | null
}

/** What of an account is declared and not answered, and by how much it is to change. */
interface Change {
  amountMinor: number
  declaredMinor: number
}

/**
 * Throws validation_error naming amount_minor where the rider would have less in hand than is declared and not answered,
 * or a sum would be no number any more.
 */
export function requireAdjustable(account: CashAccount, change: Change): void {
  const rule = misfit(account, change)
  if (rule === null) return
  const message =
    rule === 'min'
      ? `amount_minor is at least ${-undeclaredOf(account, change)}: no more is in hand and not declared.`
      : 'amount_minor makes a sum that is too large.'
  throw validationError([{ field: 'amount_minor', rule, message }])
}

/** Throws invalid_state where it no longer fits what is in hand. */
export function requireApprovable(
  { status, amountMinor }: CashAdjustment,
  account: CashAccount,
  declaredMinor: number,
): void {
  const change = { amountMinor, declaredMinor }
  if (misfit(account, change) === null) return
  throw new ServiceError('invalid_state', { details: { status, undeclared_minor: undeclaredOf(account, change) } })
}

const undeclaredOf = ({ inHandMinor }: CashAccount, { declaredMinor }: Change): number =>
  Math.max(0, inHandMinor - declaredMinor)

function misfit(account: CashAccount, change: Change): 'min' | 'max' | null {
  const { amountMinor } = change
  if (amountMinor < -undeclaredOf(account, change)) return 'min'
  const sums = [account.inHandMinor, account.adjustedMinor]
  return sums.every((sum) => Number.isSafeInteger(sum + amountMinor)) ? null : 'max'
}

/** Throws invalid_state unless it waits for a second operator. */
export function requirePending({ status }: CashAdjustment): void {
  if (status !== 'pending') throw new ServiceError('invalid_state', { details: { status } })
}
