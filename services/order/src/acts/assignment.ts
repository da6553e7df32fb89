import { SANDBOX_RIDER } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import { lockOrder } from '../db/orders.ts'
import type { Order, RiderSummary } from '../domain/order.ts'
import { isTerminal } from '../domain/order-status.ts'
import { announce } from '../use-cases/announce.ts'
import { once } from '../use-cases/once.ts'
import type { Act } from './act.ts'

export interface Assignment {
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
  lost: 'order_terminal' | 'assignment_version' | 'insufficient_merchant_wallet' | null
  previousRiderId: string | null
}

/**
 * Dispatch gives the order to a rider, or to nobody, if nobody else did since it looked. How it ended is kept with the
 * key, a loss too: a repeat never wins what the first one lost.
 */
export const assignment: Act<Assignment, { order: Order; outcome: Outcome }> = {
  kind: 'assignment',
  scope: () => 'every tenant',
  aim: ({ opKey }) => `assignment:${opKey}`,
  find: (tx, { orderId }) => lockOrder(tx.em, 'every tenant', orderId),
  async perform({ ctx, tx, order, isSettled }, input) {
    refuseForeignEnvironment(order, input.rider)
    const work = async () => {
      const { riderId: previousRiderId } = order
      const lost = lossOf(order, input)
      if (!lost) await announce(ctx, tx, order, order.commitRider(input.rider, input.accept, tx.now))
      return outcomeOf(input, lost, lost ? null : previousRiderId)
    }
    const outcome = await once(tx, order, { kind: 'assignment', key: input.opKey }, work, { isSettled })
    return { order, outcome }
  },
  async decline({ tx, order, isSettled }, input) {
    const work = async () => outcomeOf(input, 'insufficient_merchant_wallet', null)
    await once(tx, order, { kind: 'assignment', key: input.opKey }, work, { isSettled })
  },
}

const outcomeOf = (
  { rider, actorType, actorId }: Assignment,
  lost: Outcome['lost'],
  previousRiderId: string | null,
) => ({ lost, previousRiderId, riderId: rider?.id ?? null, actorType, actorId })

function lossOf(order: Order, { expectedAssignmentVersion }: Assignment): Outcome['lost'] {
  if (isTerminal(order.status)) return 'order_terminal'
  return order.assignmentVersion === expectedAssignmentVersion ? null : 'assignment_version'
}

/** The sandbox rider carries test orders and nothing else, and nobody else carries them. */
function refuseForeignEnvironment(order: Order, rider: RiderSummary | null): void {
  if (rider && (rider.id === SANDBOX_RIDER.id) !== order.isTest) throw new ServiceError('test_rider_required')
}
