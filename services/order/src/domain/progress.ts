import type { Eta } from './eta.ts'
import type { ProgressEventType, Transition } from './order-event.ts'
import { isTerminal } from './order-status.ts'
import { isOnBoard, isUnderWay } from './rider-status.ts'

export const PROGRESS_KINDS = ['departed', 'arrived_pickup', 'arrived_dropoff', 'delayed', 'exhausted', 'eta'] as const
export type ProgressKind = (typeof PROGRESS_KINDS)[number]

/** What positions or timers show of an order. */
export interface Progress {
  kind: ProgressKind
  /** The rider who was seen; null where none was. */
  riderId: string | null
  /** Of the kind `eta`; null when nothing can be expected. */
  eta: Eta | null
}

const EVENT_OF: Readonly<Record<Exclude<ProgressKind, 'departed'>, ProgressEventType>> = {
  arrived_pickup: 'order.rider_arrived_pickup',
  arrived_dropoff: 'order.rider_arrived_dropoff',
  delayed: 'dispatch.delayed',
  exhausted: 'dispatch.exhausted',
  eta: 'order.eta_changed',
}

const APPLIES_IN: Readonly<Record<ProgressKind, (status: string) => boolean>> = {
  departed: (status) => status === 'picked_up',
  arrived_pickup: (status) => !isOnBoard(status),
  arrived_dropoff: isOnBoard,
  delayed: (status) => !isUnderWay(status),
  exhausted: (status) => !isUnderWay(status),
  eta: () => true,
}

/** What progress does to an order; null when the order has ended, has another rider by now, or has come further. */
export function transitionBy(
  { kind, riderId }: Progress,
  order: { status: string; riderId: string | null },
): Transition | null {
  const { status } = order
  const isStale = riderId !== null && riderId !== order.riderId
  if (isStale || isTerminal(status) || !APPLIES_IN[kind](status)) return null
  return kind === 'departed'
    ? { from: status, to: 'in_transit' }
    : { from: status, to: status, progress: EVENT_OF[kind] }
}
