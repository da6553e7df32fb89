import type { FieldFault } from '@svc/errors'

/** What a rider says of the cash of an order. */
export interface CashReport {
  /** Null: the rider says nothing of it. */
  collectedMinor: number | null
  /** Why it is less than was asked for. */
  reason: string | null
}

const FIELD = 'cod_collected_minor'

/** The amount that a standardized record wants from the customer, or null where nothing is. */
export const cashWanted = ({ cod_amount_minor: amount }: { [key: string]: unknown }): number | null =>
  typeof amount === 'number' && Number.isSafeInteger(amount) && amount > 0 ? amount : null

/**
 * Why the cash cannot be as the rider says at that end of an order that wants so much, or null. Less takes a reason, and
 * nothing is collected only with the goods on their way back.
 */
export function cashFault(
  wantedMinor: number | null,
  to: string,
  { collectedMinor, reason }: CashReport,
): FieldFault | null {
  if (collectedMinor === null && reason === null) return null
  if (wantedMinor === null || (to !== 'delivered' && to !== 'returned_to_merchant')) {
    const message = wantedMinor
      ? 'Cash is reported with delivered or returned_to_merchant alone.'
      : 'The order has no cash on delivery.'
    return { field: collectedMinor === null ? 'cod_reason' : FIELD, rule: 'unexpected', message }
  }
  if (to === 'returned_to_merchant') {
    const message = `${FIELD} is 0 where the goods come back.`
    return collectedMinor === 0 ? null : { field: FIELD, rule: 'max', message }
  }
  const collected = collectedMinor ?? wantedMinor
  if (collected > wantedMinor) return { field: FIELD, rule: 'max', message: `${FIELD} is at most ${wantedMinor}.` }
  if (collected <= 0) {
    const message = `${FIELD} is more than 0 with delivered; where the customer pays nothing the goods go back.`
    return { field: FIELD, rule: 'min', message }
  }
  if (collected === wantedMinor || reason?.trim()) return null
  return { field: 'cod_reason', rule: 'required', message: 'cod_reason is required where less is paid.' }
}
