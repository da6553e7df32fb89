import type { RiderOnlineChanged } from '@svc/contracts/dispatch/v1/realtime'
import { ServiceError } from '@svc/errors'
import { type By, systemCaller } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { type CarriedOrder, carriedOrders } from '../../db/active-riders.ts'
import { changeRider, lockRider } from '../../db/riders.ts'
import { assertMayGoOnline, isSandbox, type Rider, requireOwn } from '../../domain/rider.ts'
import { isTerminal } from '../../domain/terminal.ts'

export interface OnlineState {
  riderId: string
  isOnline: boolean
  updatedAt: Date
}

/**
 * Puts the rider online or offline. The shared rider of the sandbox stays online for every tenant: its answer is that of
 * any rider, its row is not touched.
 */
export async function setRiderOnline(
  ctx: Context,
  { caller }: By,
  { riderId, isOnline }: { riderId: string; isOnline: boolean },
): Promise<OnlineState> {
  const lock = async (tx: Tx) => requireOwn(caller, await lockRider(tx, riderId))
  const set = async (tx: Tx, rider: Rider) => {
    if (isSandbox(rider.id)) return { state: { riderId: rider.id, isOnline, updatedAt: tx.now } }
    if (rider.isOnline === isOnline) return { state: stateOf(rider) }
    const changed = await changeRider(tx, rider.id, { isOnline })
    return { state: stateOf(changed), changed }
  }
  // Of the shared rider only the tenant's own orders count.
  const tenants = caller.merchantId ? [caller.merchantId] : []
  const { state, changed } = isOnline
    ? await ctx.transact('every tenant', async (tx) => {
        const rider = await lock(tx)
        assertMayGoOnline(rider, ctx.config.riderKycRequired)
        return set(tx, rider)
      })
    : await withoutOrders(ctx, lock, set, isSandbox(riderId) ? tenants : 'every merchant')
  if (changed) publishOnline(ctx, changed, caller.kind === 'merchant' ? 'merchant' : 'rider')
  return state
}

const stateOf = ({ id, isOnline, updatedAt }: Rider): OnlineState => ({ riderId: id, isOnline, updatedAt })

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

/** Orders that a refusal names. */
const MOST_NAMED = 50

/**
 * Does the work in a transaction in which the rider has no order under way, or throws active_order, which names them. `lock` holds the
 * rider against assignments. What is remembered here lags behind the orders, so those are asked before the refusal.
 * Only orders of `ofMerchants` count.
 */
export async function withoutOrders<T, R extends { id: string }>(
  ctx: Context,
  lock: (tx: Tx) => Promise<R>,
  work: (tx: Tx, rider: R) => Promise<T>,
  ofMerchants: readonly string[] | 'every merchant' = 'every merchant',
): Promise<T> {
  let ended: readonly CarriedOrder[] = []
  while (true) {
    const tried = await ctx.transact('every tenant', async (tx) => {
      const rider = await lock(tx)
      const carried = await carriedOrders(tx, rider.id, ofMerchants)
      const open = carried.filter((order) => !ended.some((known) => isSame(known, order)))
      return open.length === 0 ? { result: await work(tx, rider) } : { rider, carried, open }
    })
    if ('result' in tried) return tried.result as T
    const { rider, carried, open } = tried
    const underWay: string[] = []
    for (const order of open) {
      if (order.isAccepting || (await isUnderWay(ctx, rider.id, order.orderId))) underWay.push(order.orderId)
      if (underWay.length === MOST_NAMED) break
    }
    if (underWay.length > 0)
      throw new ServiceError('active_order', { details: { order_id: underWay[0], order_ids: underWay } })
    ended = carried
  }
}

const isSame = (one: CarriedOrder, other: CarriedOrder): boolean =>
  one.orderId === other.orderId && one.since.getTime() === other.since.getTime() && !other.isAccepting

async function isUnderWay(ctx: Context, riderId: string, orderId: string): Promise<boolean> {
  const orders = ctx.fulfilment.as(systemCaller('dispatch'))
  const { order } = await orders.getRiderOrder({ id: orderId }).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'not_found') return { order: undefined }
    throw error
  })
  return order !== undefined && order.rider?.id === riderId && !isTerminal(order.status)
}
