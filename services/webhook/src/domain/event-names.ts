import type { FieldFault } from '@svc/errors'

/** The six events that every merchant receives unless it lists its own choice. */
export const DEFAULT_EVENTS = [
  'order.created',
  'order.status_updated',
  'order.rider_assigned',
  'order.accepted',
  'order.picked_up',
  'order.delivered',
] as const

export type EventName = (typeof DEFAULT_EVENTS)[number]

/** Says whether a fact of this type is an event that merchants may see; other facts only advance the order's version. */
export function isPublicEvent(type: string): type is EventName {
  return (DEFAULT_EVENTS as readonly string[]).includes(type)
}

/** A fault for each name in a list `events` that no event bears. */
export function eventFaults(events: readonly string[]): FieldFault[] {
  return events.flatMap((event, index) =>
    isPublicEvent(event)
      ? []
      : [{ field: `events[${index}]`, rule: 'enum', allowed: DEFAULT_EVENTS, message: 'There is no such event.' }],
  )
}
