import type { RiderOnlineChanged } from '@svc/contracts/dispatch/v1/realtime'
import type { SetRiderOnlineRequest } from '@svc/contracts/dispatch/v1/rider_service'
import type { Caller } from '@svc/grpc'
import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { assertMayGoOnline, isSandbox, type Rider } from '../../domain/rider.ts'
import { lockAllowedRider } from './allowed-rider.ts'
import { changeRider } from './change-rider.ts'
import { withoutOrders } from './orders-under-way.ts'

export interface OnlineState {
  riderId: string
  isOnline: boolean
  updatedAt: Date
}

/**
 * Puts the rider online or offline. The shared rider of the sandbox stays online for everybody: its answer is that of
 * any rider, its row is not touched.
 */
export async function setRiderOnline(
  ctx: Context,
  caller: Caller,
  { rider_id, is_online: isOnline }: SetRiderOnlineRequest,
): Promise<OnlineState> {
  const lock = (tx: Tx) => lockAllowedRider(tx, caller, rider_id)
  const set = async (tx: Tx, rider: Rider) => {
    if (isSandbox(rider.id)) return { state: { riderId: rider.id, isOnline, updatedAt: tx.now } }
    if (rider.isOnline === isOnline) return { state: stateOf(rider) }
    const changed = await changeRider(tx, rider.id, { isOnline })
    return { state: stateOf(changed), changed }
  }
  // Of the shared rider only the tenant's own orders count.
  const ofMerchant = isSandbox(rider_id) ? (caller.merchantId ?? 'nobody') : 'anybody'
  const { state, changed } = isOnline
    ? await ctx.transact('every tenant', async (tx) => {
        const rider = await lock(tx)
        assertMayGoOnline(rider, ctx.config.riderKycRequired)
        return set(tx, rider)
      })
    : await withoutOrders(ctx, lock, set, ofMerchant)
  if (changed) publishOnline(ctx, changed, caller.kind === 'merchant' ? 'merchant' : 'rider')
  return state
}

/** Tells the fleet's sockets. */
export function publishOnline(ctx: Context, rider: Rider, reason: 'rider' | 'merchant' | 'admin' | 'kyc'): void {
  const { id, merchantId, isOnline, updatedAt } = rider
  if (merchantId === null) return
  const event: RiderOnlineChanged = {
    rider_id: id,
    merchant_id: merchantId,
    is_online: isOnline,
    changed_at: updatedAt.toISOString(),
    reason,
  }
  ctx.realtime.publish({ $case: 'rider_online_changed', value: event })
}

const stateOf = ({ id, isOnline, updatedAt }: Rider): OnlineState => ({ riderId: id, isOnline, updatedAt })
