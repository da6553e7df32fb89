import type { SimulatorServiceService, TimelineStep } from '@svc/contracts/order/v1/simulator_service'
import { SANDBOX_RIDER } from '@svc/credentials'
import { type Handlers, requireMerchant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { SIMULATOR_ACTIONS, SIMULATOR_STEPS } from '../domain/simulator.ts'
import { orderMessage } from '../messages/order.ts'
import {
  createSimulatorOrder,
  type SimulatedCreation,
  type SimulatorInput,
} from '../use-cases/create-simulator-order.ts'
import { simulateRiderAction } from '../use-cases/simulate-rider-action.ts'

interface SimulatorOrder {
  external_order_id: string
  standardized_json: string
}

const inputOf = (order: SimulatorOrder | undefined, isMuted: boolean, stepDelayMs: number | null): SimulatorInput => ({
  externalOrderId: order?.external_order_id ?? '',
  standardizedJson: order?.standardized_json ?? '',
  isMuted,
  stepDelayMs,
})

/** What happens to an automatic order and when, its creation included. */
function timelineOf({ order, timers }: SimulatedCreation): TimelineStep[] {
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
const stepDelayMsOf = ([first, second]: SimulatedCreation['timers']): number =>
  first && second ? second.firesAt.getTime() - first.firesAt.getTime() : 0

/** The rpcs of the simulator: messages in, use case, messages out. */
export function simulatorService(ctx: Context): Handlers<typeof SimulatorServiceService> {
  return {
    async createSimulatorOrder({ order, emit_webhooks }, call) {
      requireMerchant(call, 'orders:write')
      const created = await createSimulatorOrder(ctx, call.caller, inputOf(order, !emit_webhooks, null))
      return {
        order: created.order,
        idempotent: created.idempotent,
        simulator_rider_id: SANDBOX_RIDER.id,
        available_actions: [...SIMULATOR_ACTIONS],
      }
    },

    async simulateRiderAction({ order_id, action, strict }, call) {
      requireMerchant(call, 'orders:write')
      const done = await simulateRiderAction(ctx, call.caller, { orderId: order_id, action, isStrict: strict })
      return {
        order: orderMessage(done.order, ctx.config.trackingBaseUrl),
        previous_status: done.previousStatus,
        changed: done.changed,
        out_of_sequence: done.outOfSequence,
        simulator_rider_id: SANDBOX_RIDER.id,
        events: done.events,
        available_actions: [...done.availableActions],
      }
    },

    async createAutoSimulatorOrder({ order, step_delay_ms, emit_webhooks = true }, call) {
      requireMerchant(call, 'orders:write')
      const created = await createSimulatorOrder(ctx, call.caller, inputOf(order, !emit_webhooks, step_delay_ms))
      return {
        order: created.order,
        idempotent: created.idempotent,
        simulator_rider_id: SANDBOX_RIDER.id,
        timeline: timelineOf(created),
        step_delay_ms: stepDelayMsOf(created.timers),
      }
    },
  }
}
