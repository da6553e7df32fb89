import { SimulatorServiceService } from '@svc/contracts/order/v1/simulator_service'
import { SANDBOX_RIDER } from '@svc/credentials'
import { merchant, rpc, serving } from '@svc/grpc'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { SCENARIO_NAMES } from '../domain/scenario.ts'
import { SIMULATOR_ACTIONS } from '../domain/simulator.ts'
import { orderMessage } from '../messages/order.ts'
import { scenarioMessage } from '../messages/scenario.ts'
import { stepDelayMsOf, timelineOf } from '../messages/simulated-order.ts'
import { advanceClock } from '../use-cases/advance-clock.ts'
import { createAutoSimulatorOrder } from '../use-cases/create-auto-simulator-order.ts'
import { createSimulatorOrder } from '../use-cases/create-simulator-order.ts'
import { getScenario } from '../use-cases/get-scenario.ts'
import { simulateRiderAction } from '../use-cases/simulate-rider-action.ts'
import { startScenario } from '../use-cases/start-scenario.ts'
import { autoSimulatorOrder, simulatorOrder } from './inputs.ts'

/** A month: no order of a sandbox lives longer. */
const MAX_ADVANCE_SECONDS = 2_592_000

/** The rpcs of the simulator, for test credentials alone. */
export const simulatorService = serving<Context>()(SimulatorServiceService, {
  createSimulatorOrder: rpc({
    access: merchant('orders:write'),
    input: simulatorOrder,
    handle: async (ctx, by, input) => {
      const { order, idempotent } = await createSimulatorOrder(ctx, by, input)
      return {
        order,
        idempotent,
        simulator_rider_id: SANDBOX_RIDER.id,
        available_actions: [...SIMULATOR_ACTIONS],
      }
    },
  }),

  simulateRiderAction: rpc({
    access: merchant('orders:write'),
    input: z.object({ order_id: z.string(), action: z.enum(SIMULATOR_ACTIONS), strict: z.boolean() }),
    handle: async (ctx, by, { order_id: orderId, action, strict: isStrict }) => {
      const done = await simulateRiderAction(ctx, by, { orderId, action, isStrict })
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
  }),

  createAutoSimulatorOrder: rpc({
    access: merchant('orders:write'),
    input: autoSimulatorOrder,
    handle: async (ctx, by, input) => {
      const created = await createAutoSimulatorOrder(ctx, by, input)
      return {
        order: created.order,
        idempotent: created.idempotent,
        simulator_rider_id: SANDBOX_RIDER.id,
        timeline: timelineOf(created),
        step_delay_ms: stepDelayMsOf(created.timers),
      }
    },
  }),

  startScenario: rpc({
    access: merchant('orders:write'),
    input: z.object({
      order_id: z.string(),
      scenario: z.enum(SCENARIO_NAMES),
      step_delay_ms: z.int().min(0).max(600_000),
    }),
    handle: async (ctx, by, { order_id, scenario, step_delay_ms: stepDelayMs }) => {
      const asked = { orderId: order_id, scenario, stepDelayMs }
      const { orderId, steps, idempotent } = await startScenario(ctx, by, asked)
      return { scenario: scenarioMessage(orderId, steps), idempotent }
    },
  }),

  getScenario: rpc({
    access: merchant('orders:read', 'orders:write'),
    handle: async (ctx, by, { order_id: orderId }) => ({
      scenario: scenarioMessage(orderId, await getScenario(ctx, by, { orderId })),
    }),
  }),

  advanceClock: rpc({
    access: merchant('orders:write'),
    input: z.object({ seconds: z.int().min(1).max(MAX_ADVANCE_SECONDS) }),
    handle: async (ctx, by, input) => ({ now: (await advanceClock(ctx, by, input)).toISOString() }),
  }),
})
