/** What riders and dispatch report of an order beside its status; told to the merchants that list them. */
export type ProgressEventType =
  | 'order.rider_arrived_pickup'
  | 'order.rider_arrived_dropoff'
  | 'order.eta_changed'
  | 'dispatch.delayed'
  | 'dispatch.exhausted'

/** Facts of an order, outward ones and the internal `order.cancelled`. */
export type OrderEventType =
  | 'order.created'
  | 'order.status_updated'
  | 'order.rider_assigned'
  | 'order.accepted'
  | 'order.picked_up'
  | 'order.delivered'
  | 'order.cancelled'
  | ProgressEventType

export interface OrderEvent {
  type: OrderEventType
  previousStatus?: string
  previousRiderId?: string
}

/** What one change did to an order. */
export interface Transition {
  from: string
  to: string
  /** Set when a rider was assigned or taken off by it, with the other rider who had the order before. */
  assignment?: { previousRiderId: string | null }
  /** Set when it reported something beside the status. */
  progress?: ProgressEventType
}

// A map, not an object: statuses are the merchants' own strings, `constructor` among them.
const ENTERED: ReadonlyMap<string, OrderEventType> = new Map([
  ['accepted', 'order.accepted'],
  ['picked_up', 'order.picked_up'],
  ['delivered', 'order.delivered'],
])

/**
 * The facts of a transition, in the order of their emission, whatever path led to it: an assignment first, then the event
 * of the status entered, then `order.status_updated`. Acceptance that came with an assignment has no status_updated.
 */
export function eventsOf({ from, to, assignment, progress }: Transition): OrderEvent[] {
  const events: OrderEvent[] = progress ? [{ type: progress }] : []
  if (assignment) {
    const { previousRiderId } = assignment
    events.push({ type: 'order.rider_assigned', ...(previousRiderId && { previousRiderId }) })
  }
  if (from === to) return events
  const entered = ENTERED.get(to)
  if (entered) events.push({ type: entered })
  if (!(assignment && to === 'accepted')) events.push({ type: 'order.status_updated', previousStatus: from })
  if (to === 'cancelled') events.push({ type: 'order.cancelled', previousStatus: from })
  return events
}
