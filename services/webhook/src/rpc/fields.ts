import { validationError } from '@svc/errors'
import { eventFaults } from '../domain/event-names.ts'

const STATUSES = ['pending', 'succeeded', 'dead']

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
