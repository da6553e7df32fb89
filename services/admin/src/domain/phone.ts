import { validationError } from '@svc/errors'
import { normalizePhone } from '@svc/phone'

/** The phone number as E.164, whatever its owner puts between the digits; throws for what cannot be one. */
export function assertPhone(text: string | undefined): string | null {
  if (text === undefined) return null
  const phone = normalizePhone(text.replace(/[ ().-]/g, ''))
  if (phone) return phone
  throw validationError([{ field: 'phone', rule: 'format', message: 'phone must be a phone number.' }])
}
