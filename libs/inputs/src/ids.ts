import { ServiceError, validationError } from '@svc/errors'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether the text can be an id at all: one that cannot is as unknown as any other, and costs no query. */
export const isUuid = (text: string): boolean => UUID.test(text)

/** An id that names the resource of a call: what is no UUID names nothing. */
export function resourceId(id: string): string {
  if (!isUuid(id)) throw new ServiceError('not_found')
  return id.toLowerCase()
}

/** An id inside a request; throws for a text that cannot be one. */
export function uuidField(field: string, id: string | undefined): string {
  if (id === undefined || !isUuid(id))
    throw validationError([{ field, rule: 'uuid', message: `${field} must be a UUID.` }])
  return id.toLowerCase()
}

/** The same for an id that may be absent. */
export const optionalUuid = (field: string, id: string | undefined): string | null =>
  id === undefined ? null : uuidField(field, id)
