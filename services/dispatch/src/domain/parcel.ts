import type { Parcel as ParcelMessage } from '@svc/contracts/dispatch/v1/pricing_service'
import { type FieldFault, refuseFaults } from '@svc/errors'
import { VEHICLES, type Vehicle, vehicleFor } from '@svc/parcel'

/** What of a parcel decides its price. */
export interface Parcel {
  vehicle: Vehicle
  /** Whole grams, so that prices are computed in integers. */
  grams: number
  isFragile: boolean
}

/** A parcel of which nothing is known goes by the smallest vehicle. */
const DEFAULT_VEHICLE: Vehicle = 'motorcycle'
const MAX_KG = 100_000
const MAX_CM = 100_000
const MEASURES = [
  ['weight_kg', MAX_KG],
  ['length_cm', MAX_CM],
  ['width_cm', MAX_CM],
  ['height_cm', MAX_CM],
] as const

const NOTHING_KNOWN: ParcelMessage = { is_fragile: false }

/** The parcel of a request, with the vehicle named there, else the one that its size needs; throws validation_error. */
export function readParcel(message: ParcelMessage = NOTHING_KNOWN): Parcel {
  const { vehicle_type, weight_kg, length_cm, width_cm, height_cm, is_fragile: isFragile } = message
  refuseFaults(faultsOf(message))
  const sidesCm = [length_cm, width_cm, height_cm].flatMap((cm) => cm ?? [])
  const derived = vehicleFor({ weightKg: weight_kg ?? null, sidesCm, isFragile })
  return {
    vehicle: (vehicle_type as Vehicle | undefined) ?? derived ?? DEFAULT_VEHICLE,
    grams: Math.round((weight_kg ?? 0) * 1000),
    isFragile,
  }
}

/** The vehicle of a question that names no parcel; throws validation_error. */
export const readVehicle = (name: string | undefined): Vehicle =>
  readParcel({ vehicle_type: name, is_fragile: false }).vehicle

function faultsOf(parcel: ParcelMessage): FieldFault[] {
  const faults: FieldFault[] = []
  if (parcel.vehicle_type !== undefined && !VEHICLES.includes(parcel.vehicle_type as Vehicle)) {
    const message = `vehicle_type must be one of ${VEHICLES.join(', ')}.`
    faults.push({ field: 'vehicle_type', rule: 'enum', allowed: VEHICLES, message })
  }
  for (const [field, limit] of MEASURES) {
    const value = parcel[field]
    if (value === undefined || (value >= 0 && value <= limit)) continue
    faults.push({ field, rule: 'range', limit, message: `${field} must be a number from 0 to ${limit}.` })
  }
  return faults
}
