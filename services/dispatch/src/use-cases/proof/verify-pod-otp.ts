import { randomUUID } from 'node:crypto'
import type { RecordProofOfDeliveryRequest } from '@svc/contracts/order/v1/fulfilment_service'
import type { Order } from '@svc/contracts/order/v1/order'
import type { Caller } from '@svc/grpc'
import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { lockOtp } from '../../db/otps.ts'
import type { Point } from '../../domain/coverage.ts'
import { invalidOtp, OTP_MAX_TRIES, SANDBOX_CODE } from '../../domain/otp.ts'
import { isCode, usingOtp } from '../otp/verify-otp.ts'
import { carriedOrder, customerPhone } from './carried-order.ts'
import { assertUploaded } from './pod-photos.ts'
import { openProof, recordProof, settledProof } from './record-proof.ts'

interface Handover {
  orderId: string
  code: string
  photoStorageKey: string | null
  point: Point | null
}

/**
 * Proves a hand-over by the customer's code and lets the order end as the operator wants. The code is used up and the
 * proof settled in one transaction: the same call again, later or at the same time, answers the same order.
 */
export async function verifyPodOtp(ctx: Context, caller: Caller, given: Handover): Promise<Order> {
  const proven = await provenBefore(ctx, caller, given)
  if (proven) return proven
  let proof: RecordProofOfDeliveryRequest
  try {
    proof = await settleProof(ctx, caller, given)
  } catch (refusal) {
    // The same call at the same time may have used the code up, or ended the order.
    const provenMeanwhile = await provenBefore(ctx, caller, given)
    if (provenMeanwhile) return provenMeanwhile
    throw refusal
  }
  return recordProof(ctx, proof)
}

/** The order, where this rider has proven it by this very code; else null. */
async function provenBefore(ctx: Context, caller: Caller, { orderId, code }: Handover): Promise<Order | null> {
  const settled = await settledProof(ctx, orderId)
  if (!settled || settled.proof.rider_id !== caller.actor.id) return null
  if (!(await isCodeOf(ctx, settled.proof, caller.isTest === true, code))) return null
  // The order's service is the judge of who may see it.
  const { order } = await ctx.fulfilment.as(caller).getRiderOrder({ id: orderId })
  return settled.hasArrived ? order! : recordProof(ctx, settled.proof)
}

async function isCodeOf(
  ctx: Context,
  { order_id, op_key }: RecordProofOfDeliveryRequest,
  isTest: boolean,
  code: string,
): Promise<boolean> {
  if (isTest) return code === SANDBOX_CODE
  const otp = await ctx.transact('every tenant', (tx) => lockOtp(tx, 'pod', order_id))
  return otp !== null && op_key === opKeyOf(otp.id) && isCode(ctx.config, otp, code)
}

const opKeyOf = (proofId: string): string => `pod:${proofId}`

async function settleProof(ctx: Context, caller: Caller, given: Handover): Promise<RecordProofOfDeliveryRequest> {
  const order = await carriedOrder(ctx, caller, given.orderId)
  await assertUploaded(ctx, caller, given.photoStorageKey)
  return prove(ctx, order, given.code, async (tx, attempts, proofId) => {
    const proven = {
      order_id: order.id,
      rider_id: caller.actor.id,
      op_key: opKeyOf(proofId),
      pod_json: JSON.stringify(podOf(order, caller, given, { attempts, at: tx.now })),
    }
    await openProof(tx, order.merchant_id, proven)
    return proven
  })
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
