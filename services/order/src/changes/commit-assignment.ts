import { SANDBOX_RIDER } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { lockOrder } from '../db/orders.ts'
import type { Order, RiderSummary } from '../domain/order.ts'
import { isTerminal } from '../domain/order-status.ts'
import { announce } from './announce.ts'
import type { Change } from './change.ts'
import { makeChange } from './make-change.ts'
import { once } from './once.ts'

interface Assignment {
  orderId: string
  /** Null takes the order from its rider. */
  rider: RiderSummary | null
  opKey: string
  expectedAssignmentVersion: number
  accept: boolean
  actorType: string
  actorId: string
}

interface AssignmentOutcome {
  lost: 'order_terminal' | 'assignment_version' | 'insufficient_merchant_wallet' | null
  previousRiderId: string | null
}

export interface CommittedAssignment {
  order: Order
  outcome: AssignmentOutcome
}

/**
 * Gives the order to a rider, or takes it from its rider, unless its rider has changed since dispatch looked. How it
 * ended is kept with the key, a loss too: a repeat never wins what the first one lost.
 */
export async function commitAssignment(ctx: Context, _by: By, input: Assignment): Promise<CommittedAssignment> {
  return makeChange(ctx, assignment, input)
}

export const assignment: Change<Assignment, CommittedAssignment> = {
  kind: 'assignment',
  scope: () => 'every tenant',
  sameAs: ({ opKey }) => `assignment:${opKey}`,
  lock: (tx, { orderId }) => lockOrder(tx.em, 'every tenant', orderId),
  async apply({ ctx, tx, order, isSettled }, input) {
    refuseForeignEnvironment(order, input.rider)
    const work = async () => {
      const { riderId: previousRiderId } = order
      const lost = lossOf(order, input)
      if (!lost) await announce(ctx, tx, order, order.commitRider(input.rider, accepting(input), tx.now))
      return outcomeOf(input, lost, lost ? null : previousRiderId)
    }
    const outcome = await once(tx, order, { kind: 'assignment', key: input.opKey }, work, { isSettled })
    return { order, outcome }
  },
  async whenDeclined({ tx, order, isSettled }, input) {
    const work = async () => outcomeOf(input, 'insufficient_merchant_wallet', null)
    await once(tx, order, { kind: 'assignment', key: input.opKey }, work, { isSettled })
  },
}

/** Only the rider's own yes is an act of the rider. */
const accepting = ({ rider, accept, actorType, actorId }: Assignment) => ({
  accepts: accept,
  acts: accept && actorType === 'rider' && actorId === rider?.id,
})

const outcomeOf = (
  { rider, actorType, actorId }: Assignment,
  lost: AssignmentOutcome['lost'],
  previousRiderId: string | null,
) => ({ lost, previousRiderId, riderId: rider?.id ?? null, actorType, actorId })

function lossOf(order: Order, { expectedAssignmentVersion }: Assignment): AssignmentOutcome['lost'] {
  if (isTerminal(order.status)) return 'order_terminal'
  return order.assignmentVersion === expectedAssignmentVersion ? null : 'assignment_version'
}

/** The sandbox rider carries test orders and nothing else, and no other rider carries them. */
function refuseForeignEnvironment(order: Order, rider: RiderSummary | null): void {
  if (rider && (rider.id === SANDBOX_RIDER.id) !== order.isTest) throw new ServiceError('test_rider_required')
}
