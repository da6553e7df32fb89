import type { Rider } from '@svc/contracts/order/v1/order'
import type { SimulatorOrder } from '@svc/contracts/order/v1/simulator_service'
import { amountMinor, text } from '@svc/inputs'
import { z } from 'zod'
import { type Eta, statedEta } from '../domain/eta.ts'
import { PROGRESS_KINDS } from '../domain/progress.ts'
import { FAILED_STATUSES, RIDER_STATUSES } from '../domain/rider-status.ts'
import type { JsonObject } from '../domain/unified-record.ts'
import { riderSummaryOf } from '../messages/order.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 200
const MAX_STEP_DELAY_MS = 600_000

/** A page of orders: 50 unless stated (0), 200 at most. */
export const page = {
  limit: z
    .int()
    .min(0)
    .transform((limit) => Math.min(limit || DEFAULT_LIMIT, MAX_LIMIT)),
  offset: z.int().min(0),
}

/** Which orders to list; operators may name a merchant. */
export const orderQuery = z
  .object({
    ...page,
    cursor: z.string().optional(),
    source: z.string().optional(),
    external_order_id: z.string().optional(),
    is_test: z.boolean().optional(),
    status: z.string().optional(),
    payment_verified: z.boolean().optional(),
    merchant_id: z.string().optional(),
  })
  .transform(({ external_order_id, is_test, payment_verified, merchant_id, ...rest }) => ({
    ...rest,
    externalOrderId: external_order_id,
    isTest: is_test,
    paymentVerified: payment_verified,
    merchantId: merchant_id,
  }))

/** The key under which a service of ours makes one change once. */
const opKey = text(255)

/** A JSON object as text. */
const jsonObject = z.string().transform((json, ctx): JsonObject => {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  } catch {}
  ctx.addIssue({ code: 'custom', message: 'It must be a JSON object.', params: { rule: 'type' } })
  return z.NEVER
})

/** What a merchant sets of an order: the status, the payment mark or both. */
export const orderUpdate = z
  .object({
    id: z.string(),
    status: text(128).optional(),
    payment_verified: z.boolean().optional(),
    expected_status: z.string().optional(),
  })
  .refine(({ status, payment_verified }) => status !== undefined || payment_verified !== undefined, {
    path: ['status'],
    params: { rule: 'required' },
    error: 'status, payment_verified or both are required.',
  })
  .transform(({ id: orderId, payment_verified: paymentVerified, expected_status: expectedStatus, status }) => ({
    orderId,
    status,
    paymentVerified,
    expectedStatus,
  }))

/** What a rider says of the cash of an order. */
const cashFields = { cod_collected_minor: amountMinor.optional(), cod_reason: text(500).optional() }
const cashReport = (sent: { cod_collected_minor?: number | undefined; cod_reason?: string | undefined }) => ({
  collectedMinor: sent.cod_collected_minor ?? null,
  reason: sent.cod_reason ?? null,
})

/** What a rider reports of its order; that goods came back or were lost needs a reason. */
export const riderStatus = z
  .object({
    order_id: z.string(),
    status: z.enum(RIDER_STATUSES),
    reason: text(512, 0).optional(),
    photo_storage_key: text(512).optional(),
    client_event_id: text(128, 0).optional(),
    point: z.object({ lat: z.number(), lng: z.number() }).optional(),
    occurred_at: z.string().optional(),
    ...cashFields,
  })
  .superRefine(({ status, reason }, ctx) => {
    if (!FAILED_STATUSES.has(status) || reason?.trim()) return
    const message = `reason is required with ${status}.`
    ctx.addIssue({ code: 'custom', path: ['reason'], message, params: { rule: 'required' } })
  })
  .transform((sent) => ({
    orderId: sent.order_id,
    status: sent.status,
    reason: sent.reason ?? null,
    photoStorageKey: sent.photo_storage_key ?? null,
    clientEventId: sent.client_event_id ?? null,
    point: sent.point ?? null,
    occurredAt: sent.occurred_at ?? null,
    cash: cashReport(sent),
  }))

/** A rider gives an order back. */
export const riderDecline = z
  .object({ order_id: z.string(), reason: text(500, 0).optional() })
  .transform(({ order_id, reason }) => ({ orderId: order_id, reason: reason?.trim() || null }))

/** To whom dispatch gives an order, if it has the version that dispatch saw. */
export const assignment = z
  .object({
    order_id: z.string(),
    rider: z.custom<Rider>().optional(),
    op_key: opKey,
    expected_assignment_version: z.number(),
    accept: z.boolean(),
    actor_type: z.string(),
    actor_id: z.string(),
  })
  .transform((sent) => ({
    orderId: sent.order_id,
    rider: sent.rider ? riderSummaryOf(sent.rider) : null,
    opKey: sent.op_key,
    expectedAssignmentVersion: sent.expected_assignment_version,
    accept: sent.accept,
    actorType: sent.actor_type,
    actorId: sent.actor_id,
  }))

/** The proof that a rider brought to dispatch. */
export const proof = z
  .object({ order_id: z.string(), rider_id: z.string(), op_key: opKey, pod_json: jsonObject, ...cashFields })
  .transform(({ order_id, rider_id, op_key, pod_json, ...cash }) => ({
    orderId: order_id,
    riderId: rider_id,
    opKey: op_key,
    pod: pod_json,
    cash: cashReport(cash),
  }))

/** What dispatch saw of an order. */
export const progress = z
  .object({
    order_id: z.string(),
    op_key: opKey,
    progress: z.enum(PROGRESS_KINDS),
    rider_id: z.string().optional(),
    eta: z.custom<Eta>().optional(),
  })
  .transform(({ order_id, op_key, progress: kind, rider_id, eta }) => ({
    orderId: order_id,
    opKey: op_key,
    report: { kind, riderId: rider_id ?? null, eta: statedEta(eta) },
  }))

/** An order of the simulator; what is missing of it the draft refuses. */
const simulated = z.custom<SimulatorOrder | undefined>()

export const simulatorOrder = z
  .object({ order: simulated, emit_webhooks: z.boolean() })
  .transform(({ order, emit_webhooks }) => ({
    externalOrderId: order?.external_order_id ?? '',
    standardizedJson: order?.standardized_json ?? '',
    isMuted: !emit_webhooks,
  }))

export const autoSimulatorOrder = z
  .object({
    order: simulated,
    emit_webhooks: z.boolean().optional(),
    step_delay_ms: z.int().min(0).max(MAX_STEP_DELAY_MS),
  })
  .transform(({ order, emit_webhooks = true, step_delay_ms: stepDelayMs }) => ({
    externalOrderId: order?.external_order_id ?? '',
    standardizedJson: order?.standardized_json ?? '',
    isMuted: !emit_webhooks,
    stepDelayMs,
  }))
