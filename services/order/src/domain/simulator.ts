import { ServiceError } from '@svc/errors'
import { isTerminal } from './order-status.ts'

/** Throws unless the operator has the simulator on and the caller's credential is one for tests. */
export function requireSimulator(
  { simulatorEnabled }: { simulatorEnabled: boolean },
  { isTest }: { isTest: boolean | null },
): void {
  if (isTest !== true) throw new ServiceError('test_mode_required')
  if (!simulatorEnabled) throw new ServiceError('simulator_disabled')
}

export const SIMULATOR_ACTIONS = ['accept', 'pickup', 'deliver'] as const
export type SimulatorAction = (typeof SIMULATOR_ACTIONS)[number]

/** The status that each action leads to. */
export const STATUS_AFTER = { accept: 'accepted', pickup: 'picked_up', deliver: 'delivered' } as const

const IN_SEQUENCE: Readonly<Record<SimulatorAction, ReadonlySet<string>>> = {
  accept: new Set(['pending']),
  pickup: new Set(['accepted']),
  deliver: new Set(['picked_up', 'in_transit']),
}

/** The actions that a real rider could take in this status. */
export const actionsInSequence = (status: string): SimulatorAction[] =>
  SIMULATOR_ACTIONS.filter((action) => IN_SEQUENCE[action].has(status))

export interface SimulatorStep {
  step: number
  action: SimulatorAction
  status: string
  /** Label and machine-readable names of the events that the step fires. */
  label: string
  events: readonly string[]
}

/** Automatic progress after creation, one step delay apart. */
export const SIMULATOR_STEPS: readonly SimulatorStep[] = [
  {
    step: 1,
    action: 'accept',
    status: 'accepted',
    label: 'order.accepted+order.rider_assigned',
    events: ['order.rider_assigned', 'order.accepted'],
  },
  {
    step: 2,
    action: 'pickup',
    status: 'picked_up',
    label: 'order.picked_up',
    events: ['order.picked_up', 'order.status_updated'],
  },
  {
    step: 3,
    action: 'deliver',
    status: 'delivered',
    label: 'order.delivered',
    events: ['order.delivered', 'order.status_updated'],
  },
]

const PROGRESS = ['pending', 'accepted', 'picked_up', 'in_transit', 'delivered']

/** True when a timed step has nothing left to do: the order ended, or something else brought it that far. */
export const isStepOvertaken = (status: string, action: SimulatorAction): boolean =>
  isTerminal(status) || PROGRESS.indexOf(status) >= PROGRESS.indexOf(STATUS_AFTER[action])
