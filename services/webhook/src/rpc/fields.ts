import { ServiceError, validationError } from '@svc/errors'
import { eventFaults } from '../domain/event-names.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const STATUSES = ['pending', 'succeeded', 'dead']

/** An id that names the resource of a call: what is no uuid names nothing. */
export function resourceId(id: string): string {
  if (!UUID.test(id)) throw new ServiceError('not_found')
  return id
}

/** A uuid in a filter or body, or null when absent. */
export function uuidField(field: string, value: string | undefined): string | null {
  if (value === undefined) return null
  if (!UUID.test(value)) throw validationError([{ field, rule: 'uuid', message: `${field} must be a UUID.` }])
  return value
}

/** The status of a delivery in a filter, or null when absent. */
export function statusField(value: string | undefined): string | null {
  if (value === undefined) return null
  if (STATUSES.includes(value)) return value
  const message = 'status must be pending, succeeded or dead.'
  throw validationError([{ field: 'status', rule: 'enum', allowed: STATUSES, message }])
}

/** Names of events in a body, each of which exists. */
export function eventsField(events: readonly string[]): readonly string[] {
  const [first, ...rest] = eventFaults(events)
  if (first) throw validationError([first, ...rest])
  return events
}

/** A page size between 1 and 200, 50 when absent. */
export const pageLimit = (limit: number): number => (limit < 1 ? 50 : Math.min(limit, 200))

/** The cursor of an earlier page, or the beginning. */
export function cursorField(value: string | undefined): number {
  if (value === undefined) return 0
  if (!/^\d{1,15}$/.test(value)) {
    throw validationError([
      { field: 'after', rule: 'cursor', message: 'after must be the next_cursor of an earlier page.' },
    ])
  }
  return Number(value)
}
