import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { auditOf, type Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { changeRider, lockRider } from '../../db/riders.ts'
import { assertNotSandbox, type KycStatus, patchedByOperator, type Rider } from '../../domain/rider.ts'
import { publishOnline, withoutOrders } from './set-rider-online.ts'

interface RiderPatch {
  id: string
  kycStatus?: KycStatus
  isOnline?: boolean
}

/**
 * An operator's word on a rider. Anything but approved takes the rider offline, whatever is under way; asked for by
 * itself, going offline waits for the rider's orders as it does for every caller.
 */
export async function updateRider(ctx: Context, by: By, { id, kycStatus, isOnline }: RiderPatch): Promise<Rider> {
  assertNotSandbox(id)
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
      auditOf(by, {
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
