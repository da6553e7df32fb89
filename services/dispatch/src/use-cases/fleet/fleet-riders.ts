import { ServiceError } from '@svc/errors'
import type { Caller, Tenant } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import { auditOf, type Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { type Listed, listed } from '../../db/listed.ts'
import { lockRider, RIDER_COLUMNS } from '../../db/riders.ts'
import { leftFleet, type Rider } from '../../domain/rider.ts'
import { changeRider } from '../riders/change-rider.ts'
import { endTokensOrLater, intendRevocation } from '../riders/end-tokens.ts'
import { type LocatedRider, located } from '../riders/list-riders.ts'
import { withoutOrders } from '../riders/orders-under-way.ts'
import { publishOnline } from '../riders/set-rider-online.ts'

/** Riders of the merchant's fleet, newest first. */
export async function listFleetRiders(ctx: Context, tenant: Tenant, page: Page): Promise<Listed<LocatedRider>> {
  const found = await ctx.transact(tenant, (tx) =>
    listed<Rider>(
      { query: tx.sql },
      {
        columns: RIDER_COLUMNS,
        from: 'riders r',
        where: { 'r.merchant_id = ?': tenant.merchantId },
        orderBy: 'r.created_at DESC, r.id DESC',
        page,
      },
    ),
  )
  return located(ctx, found)
}

/** Takes the rider out of the fleet, unless it has an order under way. Its tokens end with it, whoever crashes. */
export async function removeFleetRider(ctx: Context, tenant: Tenant, caller: Caller, riderId: string): Promise<void> {
  const { merchantId } = tenant
  const lock = async (tx: Tx): Promise<Rider> => {
    const rider = await lockRider(tx, riderId)
    if (rider?.merchantId !== merchantId) throw new ServiceError('not_found')
    return rider
  }
  const { revocation, left } = await withoutOrders(ctx, lock, async (tx, { id, isOnline }) => {
    const changed = await changeRider(tx, id, leftFleet())
    tx.publish(auditOf(caller, { action: 'fleet_rider.remove', resourceType: 'rider', resourceId: id, merchantId }))
    return { revocation: await intendRevocation(tx, id), left: isOnline ? changed : null }
  })
  if (left) publishOnline(ctx, { ...left, merchantId }, 'merchant')
  await endTokensOrLater(ctx, revocation)
}
