import { ServiceError, validationError } from '@svc/errors'
import { type CashReport, cashFault, cashWanted } from '@svc/inputs'
import type { JsonObject } from './unified-record.ts'

/** Nothing is said: all of it is collected where the rider delivers. */
export const NO_CASH_REPORT: CashReport = { collectedMinor: null, reason: null }

/** What became of an order's cash on delivery, as its record keeps it. */
export interface CashRecord {
  status: 'collected' | 'short' | 'refused'
  expected_minor: number
  collected_minor: number
  /** Null: the merchant's own. */
  currency: string | null
  reason: string | null
  rider_id: string
  at: string
}

/**
 * What a report at the end of an order means for its cash, null where it means nothing: all of it is collected where the
 * rider delivers and says nothing else. Throws validation_error naming the field that cannot be.
 */
export function cashOutcome(
  standardized: JsonObject,
  to: string,
  report: CashReport,
): Pick<CashRecord, 'status' | 'expected_minor' | 'collected_minor' | 'reason'> | null {
  const wanted = cashWanted(standardized)
  const fault = cashFault(wanted, to, report)
  if (fault) throw validationError([fault])
  const { collectedMinor, reason } = report
  if (wanted === null || (to !== 'delivered' && collectedMinor === null)) return null
  const collected_minor = collectedMinor ?? wanted
  const status = collected_minor === 0 ? 'refused' : collected_minor < wanted ? 'short' : 'collected'
  return { status, expected_minor: wanted, collected_minor, reason }
}

/** Throws invalid_state where a report contradicts what was collected before: cash is collected once. */
export function requireSameCash(known: CashRecord | null, { collectedMinor }: CashReport): void {
  if (known === null || collectedMinor === null || collectedMinor === known.collected_minor) return
  const message = 'The cash of this order was reported before.'
  throw new ServiceError('invalid_state', { message, details: { cod_status: known.status } })
}
