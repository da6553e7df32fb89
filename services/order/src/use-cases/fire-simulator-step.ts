import { announce } from '../changes/announce.ts'
import { simulated } from '../commissions/cash.ts'
import type { Context } from '../context.ts'
import { claimDueOrder, dueStep, endTimer } from '../db/sim-timers.ts'
import { Order } from '../domain/order.ts'
import { isStepOvertaken, SIMULATOR_STEPS } from '../domain/simulator.ts'

/**
 * Fires the step that has been due longest, of the given order or of any: the change, its facts and the mark that it
 * is done are one transaction, so that a crash repeats or loses nothing. False when no step is due.
 */
export async function fireSimulatorStep(ctx: Pick<Context, 'config' | 'transact'>, orderId?: string): Promise<boolean> {
  return ctx.transact('every tenant', async (tx) => {
    const claimed = await claimDueOrder(tx, orderId)
    if (!claimed) return false
    const due = await dueStep(tx, claimed)
    const step = SIMULATOR_STEPS.find((known) => known.step === due)
    // Another worker was faster between our look and our lock; there may be more to do.
    if (!step) return true

    const order = await tx.em.findOneOrFail(Order, claimed)
    const isOvertaken = isStepOvertaken(order.status, step.action)
    await endTimer(tx, { orderId: claimed, step: step.step, state: isOvertaken ? 'skipped' : 'done' })
    if (!isOvertaken) await announce(ctx, tx, order, await simulated(tx, order, step.action))
    return true
  })
}
