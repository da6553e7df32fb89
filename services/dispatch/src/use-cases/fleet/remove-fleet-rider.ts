import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import { auditOf, type Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { changeRider, lockRider } from '../../db/riders.ts'
import { openRevocation } from '../../db/token-revocations.ts'
import { leftFleet, type Rider } from '../../domain/rider.ts'
import { endTokensOrLater } from '../riders/end-tokens.ts'
import { publishOnline, withoutOrders } from '../riders/set-rider-online.ts'

/** Takes the rider out of the fleet, unless it has an order under way. Its tokens end with it, across any crash. */
export async function removeFleetRider(ctx: Context, by: By<Tenant>, riderId: string): Promise<void> {
  const { merchantId } = by.scope
  const lock = async (tx: Tx): Promise<Rider> => {
    const rider = await lockRider(tx, riderId)
    if (rider?.merchantId !== merchantId) throw new ServiceError('not_found')
    return rider
  }
  const { revocation, left } = await withoutOrders(ctx, lock, async (tx, { id, isOnline }) => {
    const changed = await changeRider(tx, id, leftFleet())
    tx.publish(auditOf(by, { action: 'fleet_rider.remove', resourceType: 'rider', resourceId: id }))
    return { revocation: await openRevocation(tx, id), left: isOnline ? changed : null }
  })
  if (left) publishOnline(ctx, { ...left, merchantId }, 'merchant')
  await endTokensOrLater(ctx, revocation)
}
