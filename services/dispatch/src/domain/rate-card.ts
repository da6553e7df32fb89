import type { RateCardInput } from '@svc/contracts/dispatch/v1/pricing_service'
import { type FieldFault, refuseFaults } from '@svc/errors'
import { VEHICLES, type Vehicle } from '@svc/parcel'
import type { Tariff } from './fare.ts'
import { isLabel, MAX_LABEL } from './label.ts'

/** One version of a rate card. */
export interface RateCard extends Tariff {
  id: string
  version: number
  name: string
  /** null: the platform's. */
  merchantId: string | null
  currency: string
  /** null: every vehicle. */
  vehicleType: Vehicle | null
  active: boolean
}

/** What an operator decides of a rate card. */
export type RateCardTerms = Omit<RateCard, 'id' | 'version'>

/** Ten million of a currency with two decimals; the sum of the lines stays an exact number. */
const MAX_MINOR = 1_000_000_000

const AMOUNTS = ['base_minor', 'per_km_minor', 'per_kg_minor', 'fragile_minor', 'minimum_minor'] as const
const PERCENTAGES = [
  ['surge_percent', 1_000],
  ['vat_percent', 100],
] as const

const FREE: RateCardTerms = {
  name: '',
  merchantId: null,
  currency: '',
  vehicleType: null,
  active: true,
  baseMinor: 0,
  perKmMinor: 0,
  perKgMinor: 0,
  fragileMinor: 0,
  minimumMinor: 0,
  surgePercent: 0,
  vatPercent: 0,
}

/** The terms of a new rate card; what is not said costs nothing. Throws validation_error. */
export function newTerms(input: RateCardInput): RateCardTerms {
  const missing = (['name', 'currency'] as const).flatMap((field): FieldFault[] =>
    input[field] === undefined ? [{ field, rule: 'required', message: `${field} is required.` }] : [],
  )
  assertValid(input, missing)
  return merged(FREE, input)
}

/** The terms of the next version; what is not said stays. Throws validation_error. */
export function nextTerms(before: RateCard, input: RateCardInput, clearFields: readonly string[]): RateCardTerms {
  const faults: FieldFault[] = clearFields
    .filter((field) => field !== 'vehicle_type')
    .map((field) => ({ field, rule: 'required', message: `${field} cannot be null.` }))
  if (input.merchant_id !== undefined && input.merchant_id !== before.merchantId) {
    const message = 'A rate card stays with its merchant; make another one.'
    faults.push({ field: 'merchant_id', rule: 'immutable', message })
  }
  assertValid(input, faults)
  const { id: _id, version: _version, ...terms } = before
  return { ...merged(terms, input), ...(clearFields.includes('vehicle_type') && { vehicleType: null }) }
}

const merged = (terms: RateCardTerms, input: RateCardInput): RateCardTerms => ({
  name: input.name ?? terms.name,
  merchantId: input.merchant_id ?? terms.merchantId,
  currency: input.currency ?? terms.currency,
  vehicleType: (input.vehicle_type as Vehicle | undefined) ?? terms.vehicleType,
  active: input.active ?? terms.active,
  baseMinor: input.base_minor ?? terms.baseMinor,
  perKmMinor: input.per_km_minor ?? terms.perKmMinor,
  perKgMinor: input.per_kg_minor ?? terms.perKgMinor,
  fragileMinor: input.fragile_minor ?? terms.fragileMinor,
  minimumMinor: input.minimum_minor ?? terms.minimumMinor,
  surgePercent: input.surge_percent ?? terms.surgePercent,
  vatPercent: input.vat_percent ?? terms.vatPercent,
})

function assertValid(input: RateCardInput, found: FieldFault[]): void {
  const faults = [...found]
  const { name, currency, vehicle_type } = input
  if (name !== undefined && !isLabel(name)) {
    faults.push({
      field: 'name',
      rule: 'length',
      limit: MAX_LABEL,
      message: `name must have 1 to ${MAX_LABEL} printable characters.`,
    })
  }
  if (currency !== undefined && !/^[A-Z]{3}$/.test(currency)) {
    faults.push({ field: 'currency', rule: 'pattern', message: 'currency must be three capital letters.' })
  }
  if (vehicle_type !== undefined && !VEHICLES.includes(vehicle_type as Vehicle)) {
    const message = `vehicle_type must be one of ${VEHICLES.join(', ')}.`
    faults.push({ field: 'vehicle_type', rule: 'enum', allowed: VEHICLES, message })
  }
  for (const field of AMOUNTS) faults.push(...rangeFaults(field, input[field], MAX_MINOR))
  for (const [field, limit] of PERCENTAGES) faults.push(...rangeFaults(field, input[field], limit))
  refuseFaults(faults)
}

function rangeFaults(field: string, value: number | undefined, limit: number): FieldFault[] {
  if (value === undefined || (value >= 0 && value <= limit)) return []
  return [{ field, rule: 'range', limit, message: `${field} must be an integer from 0 to ${limit}.` }]
}
