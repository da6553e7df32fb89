import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import { auditOf, type Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { changeRider, lockRider } from '../../db/riders.ts'
import { leftFleet, type Member } from '../../domain/rider.ts'
import { endTokensOrLater, openTokenEnd } from '../riders/end-tokens.ts'
import { publishOnline, withoutOrders } from '../riders/set-rider-online.ts'

/** Takes the rider out of the fleet, unless it has an order under way. Its tokens end with it, across any crash. */
export function removeFleetRider(ctx: Context, by: By<Tenant>, riderId: string): Promise<void> {
  const lock = async (tx: Tx): Promise<Member> => {
    const rider = await lockRider(tx, riderId)
    if (rider?.merchantId !== by.scope.merchantId) throw new ServiceError('not_found')
    return rider as Member
  }
  return endMembership(ctx, by, lock, 'fleet_rider.remove')
}

/** Ends the membership of the rider that `lock` holds, for its merchant or for the rider itself. */
export async function endMembership(
  ctx: Context,
  by: By,
  lock: (tx: Tx) => Promise<Member>,
  action: 'fleet_rider.leave' | 'fleet_rider.remove',
): Promise<void> {
  const { id, left } = await withoutOrders(ctx, lock, async (tx, rider) => {
    const { id, merchantId, isOnline } = rider
    const changed = await changeRider(tx, id, leftFleet(rider))
    tx.publish(auditOf(by, { action, resourceType: 'rider', resourceId: id, merchantId }))
    await openTokenEnd(tx, changed)
    return { id, left: isOnline ? { ...changed, merchantId } : null }
  })
  if (left) publishOnline(ctx, left, by.caller.kind === 'rider' ? 'rider' : 'merchant')
  await endTokensOrLater(ctx, id)
}
