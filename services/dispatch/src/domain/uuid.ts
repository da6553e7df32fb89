import { validationError } from '@svc/errors'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether the text can be an id at all: one that cannot is as unknown as any other, and costs no query. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** The id a filter names; throws for a text that cannot be one. */
export function requireUuid(field: string, text: string): string {
  if (isUuid(text)) return text
  throw validationError([{ field, rule: 'format', message: `${field} must be a UUID.` }])
}
