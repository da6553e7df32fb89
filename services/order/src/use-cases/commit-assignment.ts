import { SANDBOX_RIDER } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import type { Context } from '../context.ts'
import { lockOrder } from '../db/orders.ts'
import type { Order, RiderSummary } from '../domain/order.ts'
import { isTerminal } from '../domain/order-status.ts'
import { announce } from './announce.ts'
import { once } from './once.ts'

export interface AssignmentInput {
  orderId: string
  /** Null: nobody. */
  rider: RiderSummary | null
  opKey: string
  expectedAssignmentVersion: number
  accept: boolean
  actorType: string
  actorId: string
}

interface Outcome {
  lost: 'order_terminal' | 'assignment_version' | null
  previousRiderId: string | null
}

/**
 * Sets the rider if nobody else did since the caller looked. How it ended is kept with the key, a loss too: a repeat
 * never wins what the first one lost.
 */
export async function commitAssignment(
  ctx: Context,
  input: AssignmentInput,
): Promise<{ order: Order; outcome: Outcome }> {
  return ctx.transact('every tenant', async (tx) => {
    const order = await lockOrder(tx.em, 'every tenant', input.orderId)
    refuseForeignEnvironment(order, input.rider)
    const kept = await once(tx, order, { kind: 'assignment', key: input.opKey }, async () => {
      const { riderId: previousRiderId } = order
      const lost = lossOf(order, input)
      if (!lost) await announce(ctx, tx, order, order.commitRider(input.rider, input.accept, tx.now))
      const { rider, actorType, actorId } = input
      return { lost, previousRiderId: lost ? null : previousRiderId, riderId: rider?.id ?? null, actorType, actorId }
    })
    return { order, outcome: kept }
  })
}

function lossOf(order: Order, { expectedAssignmentVersion }: AssignmentInput): Outcome['lost'] {
  if (isTerminal(order.status)) return 'order_terminal'
  return order.assignmentVersion === expectedAssignmentVersion ? null : 'assignment_version'
}

/** The sandbox rider carries test orders and nothing else, and nobody else carries them. */
function refuseForeignEnvironment(order: Order, rider: RiderSummary | null): void {
  if (rider && (rider.id === SANDBOX_RIDER.id) !== order.isTest) throw new ServiceError('test_rider_required')
}
