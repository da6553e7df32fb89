import { randomUUID } from 'node:crypto'
import type { Order } from '@svc/contracts/order/v1/order'
import type { Caller } from '@svc/grpc'
import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import type { Point } from '../../domain/coverage.ts'
import { invalidOtp, OTP_MAX_TRIES, SANDBOX_CODE } from '../../domain/otp.ts'
import { usingOtp } from '../otp/verify-otp.ts'
import { carriedOrder, customerPhone } from './carried-order.ts'
import { assertUploaded } from './pod-photos.ts'
import { openProof, pendingProof, recordProof } from './record-proof.ts'

interface Handover {
  orderId: string
  code: string
  photoStorageKey: string | null
  point: Point | null
}

/**
 * Proves a hand-over by the customer's code and lets the order end as the operator wants. The code is used up and the
 * proof settled in one transaction: should the answer be lost, the same call again brings the same proof.
 */
export async function verifyPodOtp(ctx: Context, caller: Caller, given: Handover): Promise<Order> {
  const settled = await pendingProof(ctx, given.orderId)
  if (settled?.rider_id === caller.actor.id) return recordProof(ctx, settled)

  const order = await carriedOrder(ctx, caller, given.orderId)
  await assertUploaded(ctx, caller, given.photoStorageKey)
  const proof = await prove(ctx, order, given.code, async (tx, attempts, proofId) => {
    const proven = {
      order_id: order.id,
      rider_id: caller.actor.id,
      op_key: `pod:${proofId}`,
      pod_json: JSON.stringify(podOf(order, caller, given, { attempts, at: tx.now })),
    }
    await openProof(tx, order.merchant_id, proven)
    return proven
  })
  return recordProof(ctx, proof)
}

/** Does the work in the transaction that uses the code up. */
async function prove<T>(
  ctx: Context,
  order: Order,
  code: string,
  work: (tx: Tx, attempts: number, proofId: string) => Promise<T>,
): Promise<T> {
  if (!order.is_test) {
    const tried = { purpose: 'pod', subjectId: order.id, code } as const
    return usingOtp(ctx, tried, (tx, otp) => work(tx, otp.attempts + 1, otp.id))
  }
  if (code !== SANDBOX_CODE) throw invalidOtp(OTP_MAX_TRIES)
  return ctx.transact('every tenant', (tx) => work(tx, 1, randomUUID()))
}

const podOf = (order: Order, caller: Caller, given: Handover, proven: { attempts: number; at: Date }) => ({
  method: 'otp',
  verified_at: proven.at.toISOString(),
  rider_id: caller.actor.id,
  phone_last4: customerPhone(order).slice(-4),
  photo_storage_key: given.photoStorageKey,
  lat: given.point?.lat ?? null,
  lng: given.point?.lng ?? null,
  attempts: proven.attempts,
})
