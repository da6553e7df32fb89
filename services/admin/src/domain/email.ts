import { validationError } from '@svc/errors'

const FORM = /^[^\s@"<>\\]+@[^\s@"<>\\.]+(\.[^\s@"<>\\.]+)+$/
const MAX_LENGTH = 254

/** The form in which an e-mail address is kept and compared: trimmed, lower case. Throws for what is no address. */
export function normalizedEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (email.length <= MAX_LENGTH && FORM.test(email)) return email
  throw validationError([{ field: 'email', rule: 'format', message: 'email must be an e-mail address.' }])
}
