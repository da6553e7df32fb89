/** Statuses that end an order. Any other string is not terminal. */
export const TERMINAL_STATUSES: ReadonlySet<string> = new Set([
  'delivered',
  'cancelled',
  'returned_to_merchant',
  'lost_in_transit',
])

/** Where a strict status guard lets an order go from each status that the service itself knows. */
const NEXT: ReadonlyMap<string, readonly string[]> = new Map([
  ['draft', ['pending', 'cancelled']],
  ['pending', ['accepted', 'cancelled']],
  ['accepted', ['pending', 'picked_up', 'cancelled']],
  ['picked_up', ['in_transit', 'delivered', 'returned_to_merchant', 'lost_in_transit', 'cancelled']],
  ['in_transit', ['delivered', 'returned_to_merchant', 'lost_in_transit', 'cancelled']],
  ['delivered', []],
  ['cancelled', []],
  ['returned_to_merchant', []],
  ['lost_in_transit', []],
])

/** True when the status ends an order: no work is left for riders, timers or dispatch. */
export const isTerminal = (status: string): boolean => TERMINAL_STATUSES.has(status)

/** The statuses a strict guard admits next; from a status of the caller's own invention, every known one. */
export const nextStatuses = (status: string): readonly string[] => NEXT.get(status) ?? [...NEXT.keys()]
