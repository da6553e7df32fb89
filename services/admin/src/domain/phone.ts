import { validationError } from '@svc/errors'

const FORM = /^\+?[0-9][0-9 ().-]{4,30}$/

/** A phone number as its owner writes it; throws for what cannot be one. */
export function assertPhone(text: string | undefined): string | null {
  if (text === undefined) return null
  if (FORM.test(text.trim())) return text.trim()
  throw validationError([{ field: 'phone', rule: 'format', message: 'phone must be a phone number.' }])
}
