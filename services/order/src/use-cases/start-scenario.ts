import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { lockOrder } from '../db/orders.ts'
import { addSteps, scenarioOf } from '../db/scenario-steps.ts'
import { countOpenOrders } from '../db/sim-timers.ts'
import { refuseDraft } from '../domain/order.ts'
import { followsWay, type Scenario, type StepRow } from '../domain/scenario.ts'
import { requireSimulator } from '../domain/simulator.ts'

interface StartedScenario {
  orderId: string
  steps: StepRow[]
  idempotent: boolean
}

/**
 * Has a scenario played with a test order that waits for a rider. An order has one scenario: the same again answers how
 * far it is, another one is refused.
 */
export async function startScenario(
  ctx: Context,
  { caller, scope }: By<Tenant>,
  { orderId, scenario, stepDelayMs }: { orderId: string; scenario: Scenario; stepDelayMs: number },
): Promise<StartedScenario> {
  requireSimulator(ctx.config, caller)
  // Both environments: a live order of the merchant is refused as such, not as unknown.
  const everyEnvironment = { ...scope, isTest: null }
  const started = await ctx.transact(everyEnvironment, async (tx): Promise<StartedScenario> => {
    const order = await lockOrder(tx.em, everyEnvironment, orderId)
    if (!order.isTest) throw new ServiceError('test_mode_required')
    refuseDraft(order)
    const earlier = await scenarioOf(tx, orderId)
    if (earlier === 'automatic')
      throw new ServiceError('invalid_state', { details: { reason: 'progresses_by_itself' } })
    if (earlier) {
      const [first] = earlier
      if (first?.scenario === scenario) return { orderId, steps: earlier, idempotent: true }
      throw new ServiceError('invalid_state', { details: { reason: 'scenario_started', scenario: first?.scenario } })
    }
    const { status, riderId, merchantId } = order
    if (status !== 'pending' || riderId !== null) {
      throw new ServiceError('invalid_state', { details: { reason: 'not_waiting_for_a_rider', status } })
    }
    if (followsWay(scenario) && !(order.pickupLat !== null && order.dropoffLat !== null)) {
      const message = `${scenario} needs an order with the coordinates of its pickup and its drop-off.`
      throw new ServiceError('validation_error', { message, details: { field: 'order_id', rule: 'coordinates' } })
    }
    const { simulatorOpenOrders: limit } = ctx.config
    if ((await countOpenOrders(tx, merchantId)) >= limit)
      throw new ServiceError('limit_reached', { details: { limit } })
    await addSteps(tx, { orderId, merchantId, scenario, startedBy: caller.actor, stepDelayMs })
    return { orderId, steps: (await scenarioOf(tx, orderId)) as StepRow[], idempotent: false }
  })
  ctx.scenarios.wake()
  return started
}
