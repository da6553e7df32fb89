import type { JsonObject } from './unified-record.ts'

export const VEHICLES = ['motorcycle', 'car', 'van', 'truck'] as const
export type Vehicle = (typeof VEHICLES)[number]

/** The heaviest and longest that each class carries; a truck carries everything. */
const CAPACITY: ReadonlyArray<readonly [maxKg: number, maxSideCm: number]> = [
  [20, 60],
  [100, 120],
  [300, 250],
]

const finite = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)

/** Weight for the choice of a vehicle: the stated one, else what the items weigh together, else unknown. */
function weightKg(standardized: JsonObject): number | null {
  const stated = finite(standardized.weight_kg)
  if (stated !== null || !Array.isArray(standardized.items)) return stated
  const weights = (standardized.items as JsonObject[]).flatMap((item) => {
    const each = finite(item.weight_kg)
    return each === null ? [] : [each * (finite(item.quantity) ?? 1)]
  })
  return weights.length === 0 ? null : weights.reduce((sum, weight) => sum + weight, 0)
}

/** The smallest vehicle that fits weight and sides, one class larger for fragile goods; null when nothing is known. */
export function deriveVehicle(standardized: JsonObject): Vehicle | null {
  const kg = weightKg(standardized)
  const sides = ['length_cm', 'width_cm', 'height_cm'].flatMap((name) => finite(standardized[name]) ?? [])
  const isFragile = standardized.is_fragile === true
  if (kg === null && sides.length === 0) return isFragile ? 'car' : null

  const fits = CAPACITY.findIndex(([maxKg, maxSideCm]) => (kg ?? 0) <= maxKg && sides.every((cm) => cm <= maxSideCm))
  const index = fits === -1 ? VEHICLES.length - 1 : fits
  return VEHICLES[Math.min(index + (isFragile ? 1 : 0), VEHICLES.length - 1)] as Vehicle
}
