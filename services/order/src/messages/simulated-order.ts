import type { TimelineStep } from '@svc/contracts/order/v1/simulator_service'
import { SIMULATOR_STEPS } from '../domain/simulator.ts'
import type { Creation } from './creation-reply.ts'

interface Timer {
  step: number
  firesAt: Date
}

/** What happens to an automatic order and when, its creation included. */
export function timelineOf({ order, timers }: Creation & { timers: readonly Timer[] }): TimelineStep[] {
  const created = { event: 'order.created', fires_at: order.created_at, status: 'pending', events: ['order.created'] }
  const steps = timers.flatMap(({ step, firesAt }) => {
    const known = SIMULATOR_STEPS.find((candidate) => candidate.step === step)
    return known
      ? [{ event: known.label, fires_at: firesAt.toISOString(), status: known.status, events: [...known.events] }]
      : []
  })
  return [created, ...steps]
}

/** The delay that the timers were made with. */
export const stepDelayMsOf = ([first, second]: readonly Timer[]): number =>
  first && second ? second.firesAt.getTime() - first.firesAt.getTime() : 0
