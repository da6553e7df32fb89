import { ServiceError } from '@svc/errors'
import type { Context } from '../context.ts'
import type { CommissionedOrder, CommissionPlan } from '../domain/commission.ts'
import type { Order } from '../domain/order.ts'

/** What a change must ask the wallet before it can be made, and of which state of the order. */
export interface PlanRequest {
  order: CommissionedOrder
  fingerprint: string
  /** The change enters a status. */
  isEntering: boolean
}

/** What the wallet said to a request; it holds while the fingerprint of the order is the same. */
export interface Plan extends CommissionPlan {
  fingerprint: string
  isEntering: boolean
  riderId: string | undefined
}

/** Asks the wallet what a change means in money; service_unavailable where it cannot be asked. */
export async function makePlan({ wallet }: Pick<Context, 'wallet'>, { order, ...asked }: PlanRequest): Promise<Plan> {
  try {
    return { ...(await wallet.plan(order)), ...asked, riderId: order.riderId }
  } catch (error) {
    throw new ServiceError('service_unavailable', { cause: error, retryAfterSeconds: 2 })
  }
}

/** Whether money must move before the change: what was paid stays paid, and what is held need not be held again. */
export const mustSettle = ({ commissionState }: Order, { mode, isEntering }: Plan): boolean =>
  isEntering && mode !== 'none' && commissionState !== 'paid' && !(commissionState === 'held' && mode !== 'pay')

/** Whether what was done to the order may settle a commission, or touch one that is in escrow. */
export function needsPlan(
  { status, paymentVerified, riderId, commissionState }: Order,
  before: { status: string; paymentVerified: boolean },
  provesPayment: boolean,
): boolean {
  const isEntering = status !== before.status
  if (provesPayment) return isEntering || paymentVerified !== before.paymentVerified
  return isEntering && commissionState !== 'paid' && (riderId !== null || commissionState !== null)
}
