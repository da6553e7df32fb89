import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { CashReport } from '@svc/inputs'
import type { OrmTx } from '@svc/transact'
import { recordCash } from '../commissions/cash.ts'
import type { Context } from '../context.ts'
import { learnPin } from '../db/address-pins.ts'
import { lockOrder } from '../db/orders.ts'
import { addressKey } from '../domain/address-memory.ts'
import { NO_CASH_REPORT } from '../domain/cash.ts'
import type { Order } from '../domain/order.ts'
import { isTerminal } from '../domain/order-status.ts'
import { type JsonObject, parseUnified } from '../domain/unified-record.ts'
import { orderAudit } from '../events.ts'
import { announce } from './announce.ts'
import { type Actor, actorOf, type Change, type Locked } from './change.ts'
import { makeChange } from './make-change.ts'
import { once } from './once.ts'

interface VerifiedProof {
  orderId: string
  riderId: string
  opKey: string
  pod: JsonObject
  cash: CashReport
}

/**
 * Keeps the proof of delivery that the order's rider brought, once per key, and enters the configured status from any
 * other. It marks the payment where commissions wait for that. not_found when the order has another rider by now.
 */
export async function recordProofOfDelivery(ctx: Context, { caller }: By, input: VerifiedProof): Promise<Order> {
  return makeChange(ctx, proof, { ...input, by: actorOf(caller) })
}

interface Proof extends Omit<VerifiedProof, 'cash'> {
  by: Actor
  /** Absent in what the release before has begun. */
  cash?: CashReport
}

export const proof: Change<Proof, Order> = {
  kind: 'proof',
  scope: () => 'every tenant',
  sameAs: () => 'proof',
  provesPayment: true,
  lock: (tx, { orderId }) => lockOrder(tx.em, 'every tenant', orderId),
  async apply(on, { riderId, opKey, pod, by, cash }) {
    const { ctx, tx, order, isSettled } = on
    const { podVerifiedStatus } = ctx.config
    const work = async () => {
      if (order.riderId !== riderId) throw new ServiceError('not_found')
      const { status: before } = order
      await record(on, pod, podVerifiedStatus === 'none' ? null : podVerifiedStatus, cash)
      const { status } = order
      if (status !== before && isTerminal(before)) {
        tx.publish(orderAudit(by, order, 'order.status_override', { status: before }, { status }))
      }
      return { riderId, status }
    }
    await once(tx, order, { kind: 'proof', key: opKey }, work, { isSettled })
    return order
  },
  /** The goods did arrive: the proof stands and the cash as it says, the rider may report the delivery once the wallet can bear it. */
  whenDeclined: (on, { pod, cash }) => record(on, pod, null, cash),
}

async function record(on: Locked, pod: JsonObject, status: string | null, cash = NO_CASH_REPORT) {
  const { ctx, tx, order, requirePaymentVerified } = on
  if (requirePaymentVerified) order.markPayment(true, tx.now)
  // One delivery says once where the address is, however many proofs it takes.
  if (!order.hasProof()) await learnAddress(tx, order, pod)
  const announcements = order.recordProof(pod, status, tx.now)
  // A proof that leaves the status to the rider leaves the cash to the report that follows, unless it says of it.
  if (status === 'delivered' || cash.collectedMinor !== null) await recordCash(tx, order, 'delivered', cash)
  await announce(ctx, tx, order, announcements)
}

/** Where the rider was when it was handed over is remembered of the phone and address; nothing of the order changes. */
async function learnAddress(tx: OrmTx, order: Order, { lat, lng }: JsonObject): Promise<void> {
  const key = addressKey(order, parseUnified(order.unifiedJson).standardized)
  if (key && typeof lat === 'number' && typeof lng === 'number') await learnPin(tx, order, key, { lat, lng })
}
