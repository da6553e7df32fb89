import { ServiceError } from '@svc/errors'
import { isUuid, requireUuid } from '../domain/uuid.ts'

/** An id that names the resource of a call: what is no uuid names nothing. */
export function resourceId(id: string): string {
  if (!isUuid(id)) throw new ServiceError('not_found')
  return id.toLowerCase()
}

/** An id in a filter or body, or null when absent. */
export const optionalId = (field: string, id: string | undefined): string | null =>
  id === undefined ? null : requireUuid(field, id).toLowerCase()
