import type { Point } from './order-draft.ts'

/** Who does a step: dispatch as the sandbox rider, this service as the same rider, or the merchant. */
type Act =
  | { by: 'dispatch'; act: 'offer' | 'search_in_vain' | 'accept' | 'decline' | 'expire' | 'delay' | 'exhaust' }
  /** How much of the way from the pickup to the drop-off lies behind the rider. */
  | { by: 'dispatch'; act: 'report'; share: number }
  | { by: 'dispatch'; act: 'prove'; code: string }
  | { by: 'rider'; status: 'picked_up' | 'returned_to_merchant' | 'lost_in_transit'; reason?: string; isUnpaid?: true }
  | { by: 'merchant'; act: 'cancel' }

export type ScenarioStep = Act & {
  /** What it is called in answers. */
  step: string
  /** The step is there to be refused. */
  isRefused?: true
}

/** A step of the scenario of an order, as it stands. */
export interface StepRow {
  scenario: Scenario
  step: number
  firesAt: Date
  state: 'pending' | 'done' | 'skipped'
  endedAt: Date | null
  /** What refused it; null: nothing. */
  error: string | null
}

const OFFERED: ScenarioStep = { step: 'offered', by: 'dispatch', act: 'offer' }
const ACCEPTED: ScenarioStep = { step: 'accepted', by: 'dispatch', act: 'accept' }
const PICKED_UP: ScenarioStep = { step: 'picked_up', by: 'rider', status: 'picked_up' }
const CARRIED = [OFFERED, ACCEPTED, PICKED_UP] as const
const at = (step: string, share: number): ScenarioStep => ({ step, by: 'dispatch', act: 'report', share })
/** The one code of test orders. */
const DELIVERED: ScenarioStep = { step: 'delivered', by: 'dispatch', act: 'prove', code: '000000' }

/** What happens to a test order, one step after each delay. */
const SCENARIOS = {
  accept: [OFFERED, ACCEPTED],
  decline: [OFFERED, { step: 'declined', by: 'dispatch', act: 'decline' }],
  offer_expire: [OFFERED, { step: 'expired', by: 'dispatch', act: 'expire' }],
  no_rider: [
    { step: 'searching', by: 'dispatch', act: 'search_in_vain' },
    { step: 'delayed', by: 'dispatch', act: 'delay' },
    { step: 'exhausted', by: 'dispatch', act: 'exhaust' },
  ],
  gps_route: [
    OFFERED,
    ACCEPTED,
    at('at_pickup', 0),
    PICKED_UP,
    at('a_quarter_of_the_way', 0.25),
    at('half_of_the_way', 0.5),
    at('three_quarters_of_the_way', 0.75),
    at('at_dropoff', 1),
    DELIVERED,
  ],
  otp_wrong: [
    ...CARRIED,
    { step: 'code_refused', by: 'dispatch', act: 'prove', code: '999999', isRefused: true },
    DELIVERED,
  ],
  cancel_after_pickup: [...CARRIED, { step: 'cancelled', by: 'merchant', act: 'cancel' }],
  cod_refused: [
    ...CARRIED,
    {
      step: 'returned_to_merchant',
      by: 'rider',
      status: 'returned_to_merchant',
      reason: 'cod_refused',
      isUnpaid: true,
    },
  ],
  lost: [...CARRIED, { step: 'lost_in_transit', by: 'rider', status: 'lost_in_transit', reason: 'lost' }],
} as const satisfies Record<string, readonly ScenarioStep[]>

export type Scenario = keyof typeof SCENARIOS

export const SCENARIO_NAMES = Object.keys(SCENARIOS) as Scenario[]

export const stepsOf = (scenario: Scenario): readonly ScenarioStep[] => SCENARIOS[scenario]

/** Whether the scenario follows a way, and so needs both ends of it. */
export const followsWay = (scenario: Scenario): boolean => stepsOf(scenario).some((step) => 'share' in step)

/** The point that far along the straight line. */
export const along = (from: Point, to: Point, share: number): Point => ({
  lat: from.lat + (to.lat - from.lat) * share,
  lng: from.lng + (to.lng - from.lng) * share,
})
