import { validationError } from '@svc/errors'
import { characterCount } from './character-count.ts'

const MAX_LENGTH = 200

/** The name without the space around it; throws unless 1 to 200 characters are left. */
export function assertBusinessName(text: string): string {
  const name = text.trim()
  if (name !== '' && characterCount(name) <= MAX_LENGTH) return name
  const message = `business_name must have 1 to ${MAX_LENGTH} characters.`
  throw validationError([{ field: 'business_name', rule: 'length', message, limit: MAX_LENGTH }])
}
