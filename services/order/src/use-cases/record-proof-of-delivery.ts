import { ServiceError, validationError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { auditFact } from '@svc/outbox'
import type { Context } from '../context.ts'
import { lockOrder } from '../db/orders.ts'
import type { Order } from '../domain/order.ts'
import { isTerminal } from '../domain/order-status.ts'
import type { JsonObject } from '../domain/unified-record.ts'
import { announce } from './announce.ts'
import { auditedBy } from './audited-by.ts'
import { once } from './once.ts'

export interface ProofInput {
  orderId: string
  riderId: string
  opKey: string
  podJson: string
}

/**
 * Keeps the proof of delivery that the order's rider brought, once per key, and enters the configured status from any
 * other. not_found when the order has another rider by now.
 */
export async function recordProofOfDelivery(ctx: Context, caller: Caller, input: ProofInput): Promise<Order> {
  const pod = readPod(input.podJson)
  return ctx.transact('every tenant', async (tx) => {
    const order = await lockOrder(tx.em, 'every tenant', input.orderId)
    await once(tx, order, { kind: 'proof', key: input.opKey }, async () => {
      if (order.riderId !== input.riderId) throw new ServiceError('not_found')
      const { podVerifiedStatus, commissionRequirePaymentVerified } = ctx.config
      const { status: before } = order
      if (commissionRequirePaymentVerified) order.markPayment(true, tx.now)
      const announcements = order.recordProof(pod, podVerifiedStatus === 'none' ? null : podVerifiedStatus, tx.now)
      await announce(ctx, tx, order, announcements)
      if (announcements.length > 0 && isTerminal(before)) {
        const { status } = order
        tx.publish(auditFact(auditedBy(caller, order, 'order.status_override', { status: before }, { status })))
      }
      return { riderId: input.riderId, status: order.status }
    })
    return order
  })
}

function readPod(json: string): JsonObject {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  } catch {}
  throw validationError([{ field: 'pod_json', rule: 'type', message: 'pod_json must be an object.' }])
}
