/** From the smallest to the largest. */
export const VEHICLES = ['motorcycle', 'car', 'van', 'truck'] as const
export type Vehicle = (typeof VEHICLES)[number]

export interface ParcelSize {
  weightKg: number | null
  /** Those that are known. */
  sidesCm: readonly number[]
  isFragile: boolean
}

/** The heaviest and longest that each class carries; a truck carries everything. */
const CAPACITY: ReadonlyArray<readonly [maxKg: number, maxSideCm: number]> = [
  [20, 60],
  [100, 120],
  [300, 250],
]

/** The smallest vehicle that fits weight and sides, one class larger for fragile goods; null when nothing is known. */
export function vehicleFor({ weightKg, sidesCm, isFragile }: ParcelSize): Vehicle | null {
  if (weightKg === null && sidesCm.length === 0) return isFragile ? 'car' : null
  const fits = CAPACITY.findIndex(
    ([maxKg, maxSideCm]) => (weightKg ?? 0) <= maxKg && sidesCm.every((cm) => cm <= maxSideCm),
  )
  const index = fits === -1 ? VEHICLES.length - 1 : fits
  return VEHICLES[Math.min(index + (isFragile ? 1 : 0), VEHICLES.length - 1)] as Vehicle
}
