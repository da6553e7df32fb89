import { type Intent, openIntent, untilDone } from '@svc/intents'
import { metrics } from '@svc/telemetry'
import type { Tx } from '@svc/transact'
import type { Context } from '../context.ts'
import { lockOrder } from '../db/orders.ts'
import { type CarriedOrder, carriedOrder } from '../domain/commission.ts'
import type { Order } from '../domain/order.ts'

/** The kinds of intents that empty an order's escrow; what is open of one is done before the next settlement begins. */
export const RELEASE = 'commission_release'
export const GIVE_BACK = 'commission_void'

/** What an intent of an order's escrow is about: the attempt that filled it. */
interface EscrowIntent {
  orderId: string
  attempt: number
}

/** Records that what is in escrow goes back or to the rider, where the change of the order means that; true if it does. */
export async function resolveEscrow(
  tx: Tx,
  order: Order,
  before: { status: string; paymentVerified: boolean },
  isTrigger: boolean,
): Promise<boolean> {
  const { id: orderId, merchantId, commissionAttempt: attempt } = order
  const way = order.resolveEscrow(before, isTrigger)
  if (way === null) return false
  const kind = way === 'void' ? GIVE_BACK : RELEASE
  await openIntent(tx, { kind, subjectId: orderId, merchantId, payload: { orderId, attempt } })
  return true
}

/** Takes out of escrow what the order says is in it; what goes back is reserved for the rider who carries it by now. */
export async function emptyEscrow(
  ctx: Pick<Context, 'transact' | 'wallet' | 'logger'>,
  way: 'release' | 'giveBack',
  intent: Intent,
): Promise<object> {
  const { wallet, logger } = ctx
  const { orderId, attempt } = intent.payload as EscrowIntent
  const call =
    way === 'release'
      ? wallet.release(intent.merchant_id as string, orderId, attempt)
      : wallet.giveBack(await carried(ctx, orderId), attempt)
  const outcome = await untilDone(call)
  if (outcome.outcome === 'declined') {
    const { reason } = outcome
    const alert = 'escrow_contradicted'
    logger.error({ alert, order_id: orderId, attempt, way, reason }, 'what the order had in escrow is not there')
    metrics
      .counter('escrow_contradictions_total', 'Releases and returns of commissions that found nothing in escrow')
      .add(1, { way })
  }
  return outcome
}

async function carried({ transact }: Pick<Context, 'transact'>, orderId: string): Promise<CarriedOrder> {
  return carriedOrder(await transact('every tenant', (tx) => lockOrder(tx.em, 'every tenant', orderId)))
}
