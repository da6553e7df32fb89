import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { createSimulated, type SimulatorInput } from '../creations/create-simulated.ts'
import type { Creation } from '../messages/creation-reply.ts'

/** Creates a test order that its merchant moves step by step; the same external_order_id again answers it. */
export async function createSimulatorOrder(ctx: Context, by: By<Tenant>, input: SimulatorInput): Promise<Creation> {
  return createSimulated(ctx, by, input, null)
}
