import { randomUUID } from 'node:crypto'
import type { RecordProofOfDeliveryRequest } from '@svc/contracts/order/v1/fulfilment_service'
import type { Order } from '@svc/contracts/order/v1/order'
import { validationError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { type CashReport, cashFault, cashWanted } from '@svc/inputs'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { lockOtp, usingOtp } from '../../db/otps.ts'
import { findProof } from '../../db/proofs.ts'
import type { Point } from '../../domain/coverage.ts'
import { invalidOtp, isCode, OTP_MAX_TRIES, SANDBOX_CODE } from '../../domain/otp.ts'
import { isTerminal } from '../../domain/terminal.ts'
import { carriedOrder, customerPhone, riderOrder } from '../../peers/carried-order.ts'
import { claimPodPhoto } from './claim-pod-photo.ts'
import { openProof, PROOF_INTENT, recordProof } from './record-proof.ts'

interface Handover {
  orderId: string
  code: string
  photoStorageKey: string | null
  point: Point | null
  /** Of an order with cash on delivery. */
  cash: CashReport
}

/**
 * Proves a hand-over by the customer's code and lets the order end as the operator wants. The code is used up and the
 * proof opened in one transaction: the same call again, later or at the same time, answers the same order.
 */
export async function verifyPodOtp(ctx: Context, by: By, given: Handover): Promise<Order> {
  const proven = await provenBefore(ctx, by, given)
  if (proven) return proven
  let proof: RecordProofOfDeliveryRequest
  try {
    proof = await keepProof(ctx, by, given)
  } catch (refusal) {
    // The same call at the same time may have used the code up, or ended the order.
    const provenMeanwhile = await provenBefore(ctx, by, given)
    if (provenMeanwhile) return provenMeanwhile
    throw refusal
  }
  return recordProof(ctx, proof)
}

/** The order, where this rider has proven it by this very code; else null. */
async function provenBefore(ctx: Context, by: By, { orderId, code }: Handover): Promise<Order | null> {
  const isTest = by.caller.isTest === true
  const kept = await findProof(ctx.database, PROOF_INTENT, orderId)
  if (!kept || kept.proof.rider_id !== by.caller.actor.id) return null
  if (!(await isCodeOf(ctx, kept.proof, isTest, code))) return null
  // The order's service is the judge of who may see it.
  const order = await riderOrder(ctx, by, orderId)
  // The fixed code is that of every proof: while a test order is under way, also again, it is proven anew.
  if (isTest && !isTerminal(order.status)) return null
  return kept.hasArrived ? order : recordProof(ctx, kept.proof)
}

async function isCodeOf(
  ctx: Context,
  { order_id, op_key }: RecordProofOfDeliveryRequest,
  isTest: boolean,
  code: string,
): Promise<boolean> {
  if (isTest) return code === SANDBOX_CODE
  const otp = await ctx.transact('every tenant', (tx) => lockOtp(tx, 'pod', order_id))
  return otp !== null && op_key === opKeyOf(otp.id) && isCode(ctx.config.otpPepper, otp, code)
}

const opKeyOf = (proofId: string): string => `pod:${proofId}`

async function keepProof(ctx: Context, by: By, given: Handover): Promise<RecordProofOfDeliveryRequest> {
  const order = await carriedOrder(ctx, by, given.orderId)
  requireCash(order, given.cash)
  if (given.photoStorageKey !== null) await claimPodPhoto(ctx, by, order.id, given.photoStorageKey)
  return prove(ctx, order, given.code, async (tx, attempts, proofId) => {
    const proven = {
      order_id: order.id,
      rider_id: by.caller.actor.id,
      op_key: opKeyOf(proofId),
      cod_collected_minor: given.cash.collectedMinor ?? undefined,
      cod_reason: given.cash.reason ?? undefined,
      pod_json: JSON.stringify(podOf(order, by, given, { attempts, at: tx.now })),
    }
    await openProof(tx, order.merchant_id, proven)
    return proven
  })
}

/** Throws before the code is used up: a proof that is kept reaches the order whatever it says. */
function requireCash({ unified_json }: Order, cash: CashReport): void {
  const { standardized } = JSON.parse(unified_json) as { standardized: Record<string, unknown> }
  const fault = cashFault(cashWanted(standardized), 'delivered', cash)
  if (fault) throw validationError([fault])
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

const podOf = (order: Order, { caller }: By, given: Handover, proven: { attempts: number; at: Date }) => ({
  method: 'otp',
  verified_at: proven.at.toISOString(),
  rider_id: caller.actor.id,
  phone_last4: customerPhone(order).slice(-4),
  photo_storage_key: given.photoStorageKey,
  lat: given.point?.lat ?? null,
  lng: given.point?.lng ?? null,
  attempts: proven.attempts,
})
