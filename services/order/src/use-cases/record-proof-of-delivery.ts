import { validationError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { actorOf } from '../acts/act.ts'
import { proof } from '../acts/proof.ts'
import type { Context } from '../context.ts'
import type { Order } from '../domain/order.ts'
import type { JsonObject } from '../domain/unified-record.ts'
import { actOnOrder } from '../settlement/act-on-order.ts'

export interface ProofInput {
  orderId: string
  riderId: string
  opKey: string
  podJson: string
}

/**
 * Keeps the proof of delivery that the order's rider brought, once per key, and enters the configured status from any
 * other. It marks the payment where commissions wait for that. not_found when the order has another rider by now.
 */
export async function recordProofOfDelivery(ctx: Context, caller: Caller, input: ProofInput): Promise<Order> {
  const { podJson, ...brought } = input
  return actOnOrder(ctx, proof, { ...brought, pod: readPod(podJson), by: actorOf(caller) })
}

function readPod(json: string): JsonObject {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  } catch {}
  throw validationError([{ field: 'pod_json', rule: 'type', message: 'pod_json must be an object.' }])
}
