import { endIntent, type Intent } from '@svc/intents'
import type { Context } from '../context.ts'
import { findOrder } from '../db/orders.ts'
import type { AssignIntent } from '../db/store-order.ts'

/** The kind of intents that give an order to the rider that its creation named; create_order() leaves them. */
export const ASSIGN = 'assign'

/**
 * Gives the order to the rider that its creation named. An earlier try may have done so without our hearing of it; a
 * rider chosen since stays.
 */
export async function assign(
  { transact, dispatch }: Pick<Context, 'transact' | 'dispatch'>,
  { id, subject_id: orderId, merchant_id: merchantId, payload }: Intent,
): Promise<object | null> {
  const { riderId, actor, actingFor } = payload as AssignIntent
  const order = await transact('every tenant', (tx) => findOrder(tx.em, 'every tenant', orderId))
  if (order.assignmentVersion > 0) {
    if (order.riderId === riderId) return {}
    await transact('every tenant', (tx) => endIntent(tx, id, 'declined', { reason: 'assigned_otherwise' }))
    return null
  }
  // An order is a merchant's.
  await dispatch.assign({ orderId, riderId, merchantId: merchantId as string, actor, actingFor })
  return {}
}
