import { type Vehicle, vehicleFor } from '@svc/parcel'
import type { JsonObject } from './unified-record.ts'

const finite = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)

/** What a parcel weighs: the weight that is stated, else what the items weigh together, else unknown. */
export function weightKg(standardized: JsonObject): number | null {
  const stated = finite(standardized.weight_kg)
  if (stated !== null || !Array.isArray(standardized.items)) return stated
  const weights = (standardized.items as JsonObject[]).flatMap((item) => {
    const each = finite(item.weight_kg)
    return each === null ? [] : [each * (finite(item.quantity) ?? 1)]
  })
  return weights.length === 0 ? null : weights.reduce((sum, weight) => sum + weight, 0)
}

/** The smallest vehicle that fits the parcel of a record; null when nothing is known of it. */
export function deriveVehicle(standardized: JsonObject): Vehicle | null {
  return vehicleFor({
    weightKg: weightKg(standardized),
    sidesCm: ['length_cm', 'width_cm', 'height_cm'].flatMap((name) => finite(standardized[name]) ?? []),
    isFragile: standardized.is_fragile === true,
  })
}
