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

/**
 * Throws validation_error naming amount_minor where the rider would have less in hand than is declared and not answered,
 * or a sum would be no number any more.
 */
export function requireAdjustable(
  { inHandMinor, adjustedMinor }: CashAccount,
  { amountMinor, declaredMinor }: { amountMinor: number; declaredMinor: number },
): void {
  const undeclaredMinor = Math.max(0, inHandMinor - declaredMinor)
  if (amountMinor < -undeclaredMinor) {
    const message = `amount_minor is at least ${-undeclaredMinor}: no more is in hand and not declared.`
    throw validationError([{ field: 'amount_minor', rule: 'min', message }])
  }
  if (Number.isSafeInteger(inHandMinor + amountMinor) && Number.isSafeInteger(adjustedMinor + amountMinor)) return
  const message = 'amount_minor makes a sum that is too large.'
  throw validationError([{ field: 'amount_minor', rule: 'max', message }])
}

/** Throws invalid_state unless it waits for a second operator. */
export function requirePending({ status }: CashAdjustment): void {
  if (status !== 'pending') throw new ServiceError('invalid_state', { details: { status } })
}
