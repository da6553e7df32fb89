import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import { announce, type EmittedEvent } from '../changes/announce.ts'
import { simulated } from '../commissions/cash.ts'
import type { Context } from '../context.ts'
import { lockOrder } from '../db/orders.ts'
import { type Order, refuseDraft } from '../domain/order.ts'
import { actionsInSequence, requireSimulator, SIMULATOR_ACTIONS, type SimulatorAction } from '../domain/simulator.ts'

export interface SimulatedAction {
  order: Order
  previousStatus: string
  changed: boolean
  outOfSequence: boolean
  events: EmittedEvent[]
  availableActions: readonly SimulatorAction[]
}

/**
 * Does to a test order what its sandbox rider would. Actions out of sequence are done and reported as such, or refused
 * when `isStrict`; the same status again changes nothing either way.
 */
export async function simulateRiderAction(
  ctx: Context,
  { caller, scope }: By<Tenant>,
  { orderId, action, isStrict }: { orderId: string; action: SimulatorAction; isStrict: boolean },
): Promise<SimulatedAction> {
  requireSimulator(ctx.config, caller)
  // Both environments: a live order of the merchant is refused as such, not as unknown.
  const everyEnvironment = { ...scope, isTest: null }
  const availableIn = (status: string) => (isStrict ? actionsInSequence(status) : SIMULATOR_ACTIONS)

  return ctx.transact(everyEnvironment, async (tx) => {
    const order = await lockOrder(tx.em, everyEnvironment, orderId)
    if (!order.isTest) throw new ServiceError('test_mode_required')
    refuseDraft(order)
    const { status: previousStatus } = order
    const inSequence = actionsInSequence(previousStatus)
    const announcements = await simulated(tx, order, action)
    const changed = announcements.length > 0
    const outOfSequence = changed && !inSequence.includes(action)
    if (outOfSequence && isStrict) {
      throw new ServiceError('invalid_transition', {
        details: { status: previousStatus, action, available_actions: inSequence },
      })
    }
    const events = await announce(ctx, tx, order, announcements)
    return { order, previousStatus, changed, outOfSequence, events, availableActions: availableIn(order.status) }
  })
}
