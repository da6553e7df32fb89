import type { UpdateRiderRequest } from '@svc/contracts/dispatch/v1/rider_service'
import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { auditOf, type Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { lockRider } from '../../db/riders.ts'
import { assertNotSandbox, patchedByOperator, type Rider } from '../../domain/rider.ts'
import { kycStatusOf } from '../../domain/rider-input.ts'
import { changeRider } from './change-rider.ts'
import { withoutOrders } from './orders-under-way.ts'
import { publishOnline } from './set-rider-online.ts'

/**
 * An operator's word on a rider. Anything but approved takes the rider offline, whatever is under way; asked for by
 * itself, going offline waits for the rider's orders as it does for anybody.
 */
export async function updateRiderByOperator(
  ctx: Context,
  caller: Caller,
  { id, kyc_status, is_online: isOnline }: UpdateRiderRequest,
): Promise<Rider> {
  assertNotSandbox(id)
  const kycStatus = kyc_status === undefined ? undefined : kycStatusOf(kyc_status)
  const lock = async (tx: Tx): Promise<Rider> => {
    const rider = await lockRider(tx, id)
    if (!rider) throw new ServiceError('not_found')
    return rider
  }
  const patch = async (tx: Tx, before: Rider) => {
    const next = patchedByOperator(before, { kycStatus, isOnline }, ctx.config.riderKycRequired)
    if (next.kycStatus === before.kycStatus && next.isOnline === before.isOnline) return { before, after: before }
    const after = await changeRider(tx, id, next)
    tx.publish(
      auditOf(caller, {
        action: 'rider.update',
        resourceType: 'rider',
        resourceId: id,
        merchantId: after.merchantId,
        before: { kyc_status: before.kycStatus, is_online: before.isOnline },
        after: { kyc_status: after.kycStatus, is_online: after.isOnline },
      }),
    )
    return { before, after }
  }
  const isForced = kycStatus !== undefined && kycStatus !== 'approved'
  const waits = isOnline === false && !isForced
  const { before, after } = waits
    ? await withoutOrders(ctx, lock, patch)
    : await ctx.transact('every tenant', async (tx) => patch(tx, await lock(tx)))
  if (before.isOnline !== after.isOnline) publishOnline(ctx, after, isForced ? 'kyc' : 'admin')
  return after
}
