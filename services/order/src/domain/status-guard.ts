import { nextStatuses } from './order-status.ts'

/** The statuses that would have been in order, when this one is not; null when the move is in order. */
export function outOfOrder(from: string, to: string): readonly string[] | null {
  const allowed = nextStatuses(from)
  return from === to || allowed.includes(to) ? null : allowed
}
