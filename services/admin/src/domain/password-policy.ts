import { validationError } from '@svc/errors'
import { characterCount } from './character-count.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'

const MIN_LENGTH = 10
const MAX_LENGTH = 128

/** Throws unless the password has 10 to 128 characters and is none of those that attackers try first. */
export function assertPassword(password: string, field = 'password'): void {
  const length = characterCount(password)
  if (length < MIN_LENGTH)
    throw refused(field, 'min_length', `${field} must have at least ${MIN_LENGTH} characters.`, MIN_LENGTH)
  if (length > MAX_LENGTH)
    throw refused(field, 'max_length', `${field} must have at most ${MAX_LENGTH} characters.`, MAX_LENGTH)
  if (COMMON_PASSWORDS.has(password.toLowerCase()))
    throw refused(field, 'common', `${field} is one of the most used ones.`)
}

function refused(field: string, rule: string, message: string, limit?: number) {
  return validationError([{ field, rule, message, ...(limit === undefined ? {} : { limit }) }])
}
