import { uuid } from '@svc/inputs'
import * as z from 'zod'
import {
  ACTIONS,
  autoSimulatorOrder,
  autoSimulatorOrderOf,
  riderAction,
  riderActionOf,
  SCENARIOS,
  scenario,
  scenarioOf,
  simulatorOrder,
  simulatorOrderOf,
  startedScenario,
} from '../../bodies/simulator.ts'
import { simulatorBody } from '../../bodies/standardized.ts'
import { respell } from '../../http/respell.ts'
import { merchant, reply, route } from '../../http/route.ts'

const tag = 'Simulator'

const emitWebhooks = z.boolean().default(true).meta({ description: 'false mutes the webhook of order.created' })

const createErrors = [
  'invalid_pickup_time',
  'invalid_delivery_window',
  'OUT_OF_COVERAGE_AREA',
  'insufficient_wallet_for_freelancer_order',
  'billing_blocked',
  'duplicate_order',
  'test_mode_required',
  'simulator_disabled',
] as const

/** The standardized record of a simulator order: everything in the body that does not steer the simulator. */
function standardizedOf(body: Record<string, unknown>): string {
  const { external_order_id: _id, emit_webhooks: _emit, step_delay_ms: _delay, ...standardized } = body
  return JSON.stringify(standardized)
}

/** The standardized record lies at the top level of these bodies. */
const atTopLevel = (field: string) => field.replace(/^standardized\./, '')

export const routes = [
  route({
    method: 'POST',
    path: '/v1/test/simulator/orders',
    operationId: 'createSimulatorOrder',
    tag,
    summary: 'Create a test order',
    description:
      'A sandbox order from a short body: times that are absent are filled in, and it waits for `POST /v1/test/simulator/rider-action`. The same `external_order_id` again is 200 with the order that exists.',
    auth: merchant('orders:write'),
    testOnly: true,
    body: simulatorBody({ emit_webhooks: emitWebhooks }),
    replies: { 201: simulatorOrder, 200: simulatorOrder },
    errors: createErrors,
    async handle({ body }, services) {
      const creating = services.simulator.createSimulatorOrder({
        order: { external_order_id: body.external_order_id, standardized_json: standardizedOf(body) },
        emit_webhooks: body.emit_webhooks,
      })
      const created = await respell(creating, atTopLevel)
      return reply(created.idempotent ? 200 : 201, simulatorOrderOf(created))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/test/simulator/rider-action',
    operationId: 'simulateRiderAction',
    tag,
    summary: 'Progress a test order with the sandbox rider',
    description:
      'The sandbox rider accepts, collects or delivers. Any action works in any status, and `out_of_sequence` tells of one that a real rider would not have done; with `strict` that is 409 `invalid_transition`.',
    auth: merchant('orders:write'),
    testOnly: true,
    headers: {
      'x-service-simulator-strict': z.string().optional().meta({ description: '1: the same as strict in the body' }),
    },
    body: z.object({
      order_id: uuid,
      action: z.enum(ACTIONS),
      strict: z.boolean().default(false).meta({ description: 'Refuses actions out of sequence with 409' }),
    }),
    replies: { 200: riderAction },
    errors: ['not_found', 'invalid_transition', 'test_mode_required', 'simulator_disabled'],
    async handle({ body, headers }, services) {
      const strict = body.strict || headers['x-service-simulator-strict'] === '1'
      const acted = await services.simulator.simulateRiderAction({ ...body, strict })
      return reply(200, riderActionOf(body.action, acted))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/test/simulator/orders/auto',
    operationId: 'createAutoSimulatorOrder',
    tag,
    summary: 'Create a test order that progresses by itself',
    description:
      'As a sandbox order, and the sandbox rider accepts, collects and delivers it by itself, one step each `step_delay_ms`. Cancelling the order ends it. The same request again starts nothing.',
    auth: merchant('orders:write'),
    testOnly: true,
    body: simulatorBody({
      emit_webhooks: emitWebhooks,
      step_delay_ms: z.int().min(0).max(600_000).default(3_000).meta({ description: '0 fires everything at once' }),
    }),
    replies: { 201: autoSimulatorOrder, 200: autoSimulatorOrder },
    errors: [...createErrors, 'limit_reached'],
    async handle({ body }, services) {
      const creating = services.simulator.createAutoSimulatorOrder({
        order: { external_order_id: body.external_order_id, standardized_json: standardizedOf(body) },
        step_delay_ms: body.step_delay_ms,
        emit_webhooks: body.emit_webhooks,
      })
      const created = await respell(creating, atTopLevel)
      return reply(created.idempotent ? 200 : 201, autoSimulatorOrderOf(created))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/test/simulator/scenarios',
    operationId: 'startScenario',
    tag,
    summary: 'Play a scenario with a test order',
    description:
      'Plays a whole story, by offers, positions and codes as a real rider would, on a test order that waits for one. 409 `invalid_state` for an order that does not, or that plays another.',
    auth: merchant('orders:write'),
    testOnly: true,
    body: z.object({
      order_id: uuid,
      scenario: z.enum(SCENARIOS),
      step_delay_ms: z.int().min(0).max(600_000).default(3_000).meta({ description: 'Between two steps' }),
    }),
    replies: { 201: startedScenario, 200: startedScenario },
    errors: ['not_found', 'invalid_state', 'limit_reached', 'test_mode_required', 'simulator_disabled'],
    async handle({ body }, services) {
      const { scenario: started, idempotent } = await services.simulator.startScenario(body)
      return reply(idempotent ? 200 : 201, { ...scenarioOf(started), idempotent })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/test/simulator/scenarios/{orderId}',
    operationId: 'getScenario',
    tag,
    summary: 'How far the scenario of a test order is',
    description: 'Which steps were played and which are to come. 404 for an order that plays none.',
    auth: merchant('orders:read', 'orders:write'),
    testOnly: true,
    params: { orderId: uuid },
    replies: { 200: scenario },
    errors: ['not_found', 'test_mode_required', 'simulator_disabled'],
    async handle({ params }, services) {
      const { scenario: found } = await services.simulator.getScenario({ order_id: params.orderId })
      return reply(200, scenarioOf(found))
    },
  }),
]
