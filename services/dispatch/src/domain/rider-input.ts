import { validationError } from '@svc/errors'
import { KYC_STATUSES, type KycStatus, VEHICLE_TYPES, type VehicleType } from './rider.ts'

/** The text without spaces around it; throws where nothing or too much is left. */
export function requireText(field: string, text: string, limit: number): string {
  const trimmed = text.trim()
  const { length } = Array.from(trimmed)
  if (length >= 1 && length <= limit && !trimmed.includes('\0')) return trimmed
  throw validationError([{ field, rule: 'length', limit, message: `${field} must have 1 to ${limit} characters.` }])
}

/** The vehicle of a rider who says none is a motorcycle. */
export const vehicleTypeOf = (text = 'motorcycle'): VehicleType => oneOf('vehicle_type', VEHICLE_TYPES, text)

export const kycStatusOf = (text: string): KycStatus => oneOf('kyc_status', KYC_STATUSES, text)

/** The text as one of the values; throws for any other. */
export function oneOf<T extends string>(field: string, values: readonly T[], text: string): T {
  const found = values.find((value) => value === text)
  if (found !== undefined) return found
  throw validationError([{ field, rule: 'enum', message: `${field} must be one of ${values.join(', ')}.` }])
}
