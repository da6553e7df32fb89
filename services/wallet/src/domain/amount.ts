import { ServiceError, validationError } from '@svc/errors'

interface Bounds {
  min: number
}

/** An amount in minor units: a whole number from `min` to 2^53-1; throws for any other value. */
export function requireAmount(field: string, value: unknown, { min }: Bounds): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min) return value
  const message = `${field} must be a whole number of minor units, ${min} or more.`
  throw validationError([{ field, rule: 'amount', limit: min, message }])
}

/** An amount in minor units from `min` to `max`; throws for any other value, and says what the bounds are. */
export function requireAmountWithin(field: string, value: unknown, bounds: Bounds & { max: number }): number {
  const { min, max } = bounds
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value
  const message = `${field} must be a whole number of minor units from ${min} to ${max}.`
  const details = { field, rule: 'range', min_minor: min, max_minor: max, fields: [{ field, rule: 'range', message }] }
  throw new ServiceError('validation_error', { message, details })
}
