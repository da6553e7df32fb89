import type {
  CreateAutoSimulatorOrderResponse,
  CreateSimulatorOrderResponse,
  EmittedEvent,
  Scenario,
  ScenarioStep,
  SimulateRiderActionResponse,
  TimelineStep,
} from '@svc/contracts/order/v1/simulator_service'
import { fieldsOf, id, instant, order, orderOf, orNull, required, whole, words } from '@svc/public-bodies'
import * as z from 'zod'

export const ACTIONS = ['accept', 'pickup', 'deliver'] as const

const actions = z.array(words(...ACTIONS))

const common = {
  ok: z.literal(true),
  order_id: id,
  is_test: z.literal(true),
  simulator_rider_id: id,
  order,
}

function commonOf<M extends { order: CreateSimulatorOrderResponse['order'] }>(message: M) {
  const found = orderOf(message.order)
  return { ...message, ok: true as const, order_id: found.id, is_test: true as const, order: found }
}

export const simulatorOrder = z.object({
  ...common,
  idempotent: z.boolean(),
  available_actions: actions,
  message: z.string(),
})

export const simulatorOrderOf = (created: CreateSimulatorOrderResponse) => ({
  ...commonOf(created),
  message: created.idempotent
    ? 'A simulator order with this external_order_id exists; nothing was created.'
    : 'Simulator order created. Drive it with POST /v1/test/simulator/rider-action.',
})

export const riderAction = z.object({
  ...common,
  action: words(...ACTIONS),
  previous_status: z.string(),
  status: z.string(),
  changed: z.boolean(),
  out_of_sequence: z.boolean(),
  events: z.array(z.object(fieldsOf<EmittedEvent>()({ event: z.string(), event_id: id }))),
  available_actions: actions,
})

export function riderActionOf(action: string, acted: SimulateRiderActionResponse) {
  const body = commonOf(acted)
  return { ...body, action, status: body.order.status }
}

const step = z.object(
  fieldsOf<TimelineStep>()({
    event: z.string(),
    fires_at: instant,
    status: z.string(),
    events: z.array(z.string()),
  }),
)

export const autoSimulatorOrder = z.object({
  ...common,
  idempotent: z.boolean(),
  auto_progress: z.boolean(),
  step_delay_ms: whole,
  timeline: z.array(step),
  message: z.string(),
})

export const autoSimulatorOrderOf = (created: CreateAutoSimulatorOrderResponse) => ({
  ...commonOf(created),
  auto_progress: created.timeline.length > 1,
  message: created.idempotent
    ? 'A simulator order with this external_order_id exists; no timers were started. The timeline is its own.'
    : 'Simulator order created. Its events fire on the schedule of the timeline.',
})

export const SCENARIOS = [
  'accept',
  'decline',
  'offer_expire',
  'no_rider',
  'gps_route',
  'otp_wrong',
  'cancel_after_pickup',
  'cod_refused',
  'lost',
] as const

const scenarioStep = z.object(
  fieldsOf<ScenarioStep>()({
    step: z.string(),
    fires_at: instant,
    state: words('pending', 'done', 'failed', 'skipped'),
    ended_at: orNull(instant),
    error: orNull(z.string()).meta({ description: 'The code of the error that refused the step' }),
  }),
)

const ofScenario = {
  ok: z.literal(true),
  order_id: id,
  is_test: z.literal(true),
  scenario: words(...SCENARIOS),
  state: words('running', 'completed', 'stopped'),
  step_delay_ms: whole,
  simulator_rider_id: id,
  steps: z.array(scenarioStep),
}

export const scenario = z.object(ofScenario)
export const startedScenario = z.object({ ...ofScenario, idempotent: z.boolean() })

export function scenarioOf(message: Scenario | undefined) {
  const { steps, ...found } = required(message)
  return {
    ...found,
    ok: true as const,
    is_test: true as const,
    steps,
  }
}
