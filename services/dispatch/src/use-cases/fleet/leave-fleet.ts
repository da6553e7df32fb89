import { ServiceError } from '@svc/errors'
import { type By, riderOf } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { lockRider } from '../../db/riders.ts'
import type { Member } from '../../domain/rider.ts'
import { endMembership } from './remove-fleet-rider.ts'

/** The rider leaves its fleet, unless it has an order under way; a former freelancer is one again. Its tokens end with it. */
export function leaveFleet(ctx: Context, by: By): Promise<void> {
  const riderId = riderOf(by)
  const lock = async (tx: Tx): Promise<Member> => {
    const rider = await lockRider(tx, riderId)
    if (!rider || rider.merchantId === null) throw new ServiceError('not_found')
    return rider as Member
  }
  return endMembership(ctx, by, lock, 'fleet_rider.leave')
}
