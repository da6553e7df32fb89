import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { createSimulated, type SimulatedCreation, type SimulatorInput } from '../creations/create-simulated.ts'

/**
 * Creates a test order that progresses by itself, one step after each delay, and says when. The same external_order_id
 * again answers the order that exists and starts nothing.
 */
export async function createAutoSimulatorOrder(
  ctx: Context,
  by: By<Tenant>,
  { stepDelayMs, ...input }: SimulatorInput & { stepDelayMs: number },
): Promise<SimulatedCreation> {
  const created = await createSimulated(ctx, by, input, stepDelayMs)
  if (created.idempotent) return created
  if (stepDelayMs === 0) ctx.simulator.drive(created.order.id)
  else ctx.simulator.wake()
  return created
}
