import { validationError } from '@svc/errors'

interface Bounds {
  min: number
}

/** An amount in minor units: a whole number from `min` to 2^53-1; throws for any other value. */
export function requireAmount(field: string, value: unknown, { min }: Bounds): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min) return value
  const message = `${field} must be a whole number of minor units, ${min} or more.`
  throw validationError([{ field, rule: 'amount', limit: min, message }])
}
