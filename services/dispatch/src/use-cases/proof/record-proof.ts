import type { RecordProofOfDeliveryRequest } from '@svc/contracts/order/v1/fulfilment_service'
import type { Order } from '@svc/contracts/order/v1/order'
import { ServiceError } from '@svc/errors'
import { systemCaller } from '@svc/grpc'
import { openIntent } from '@svc/intents'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'

const DEADLINE_MS = 3_000

/** The kind of the intents that record a proof. */
export const PROOF_INTENT = 'proof_of_delivery'

/** Records that the order is to have the proof; its one OTP is held in the same transaction. */
export async function openProof(tx: Tx, merchantId: string, proof: RecordProofOfDeliveryRequest): Promise<void> {
  await openIntent(tx, { kind: PROOF_INTENT, subjectId: proof.order_id, merchantId, payload: proof })
}

/** Brings the proof to the order, once however often it is repeated. */
export async function recordProof(
  ctx: Pick<Context, 'fulfilment'>,
  proof: RecordProofOfDeliveryRequest,
): Promise<Order> {
  const fulfilment = ctx.fulfilment.as(systemCaller('dispatch'), { deadlineMs: DEADLINE_MS })
  const { order } = await fulfilment.recordProofOfDelivery(proof)
  if (!order) throw new ServiceError('service_unavailable')
  return order
}
