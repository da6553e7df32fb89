import { uuid } from '@svc/inputs'
import { normalizePhone } from '@svc/phone'
import { z } from 'zod'
import { KYC_STATUSES, VEHICLE_TYPES } from '../domain/rider.ts'

/** An id that a request names, in the one spelling. */
export const namedId = uuid.toLowerCase()

/** Text of 1 to max characters, without spaces around it. */
export const trimmed = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\0]*$/, 'must hold no NUL')

/** The same, or null where nothing is left. */
export const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^[^\0]*$/, 'must hold no NUL')
    .optional()
    .transform((given) => given || null)

/** A phone as E.164. */
export const phone = z.string().transform((given, ctx) => {
  const known = normalizePhone(given)
  if (known) return known
  ctx.issues.push({
    code: 'custom',
    message: 'phone must be E.164 or a Nigerian local number.',
    params: { rule: 'format' },
    input: given,
  })
  return z.NEVER
})

/** The vehicle of a rider; one who names none goes by motorcycle. */
export const vehicleType = z.enum(VEHICLE_TYPES).default('motorcycle')

export const kycStatus = z.enum(KYC_STATUSES)
