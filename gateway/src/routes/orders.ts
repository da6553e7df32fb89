import { booleanWord, matching, maybe, paging, text, upTo, uuid } from '@svc/inputs'
import { id, minor, order, orderOf, orNull, rawJson, whole } from '@svc/public-bodies'
import * as z from 'zod'
import {
  assignBody,
  assignedRider,
  assignedRiderOf,
  candidates,
  dispatchTrace,
  dispatchTraceOf,
  nearRiderOf,
} from '../bodies/assignment.ts'
import { cancelBody, cancelledOrder, cancelledOrderOf, oneOrder, orderRows, orderRowsOf } from '../bodies/order.ts'
import { latitudeWord, longitudeWord } from '../bodies/point.ts'
import { standardized } from '../bodies/standardized.ts'
import { andKeysManage, merchant, reply, route } from '../http/route.ts'

const tag = 'Orders'

const createBody = z.object({
  schema_version: z.literal(['1', 1]).meta({ description: 'Must be 1' }),
  source: matching(/^[a-z0-9_.-]{1,64}$/, 'must be 1 to 64 of a-z, 0-9, _, . and -').meta({ example: 'api' }),
  external_order_id: text(512),
  raw_payload: z.looseObject({}).meta({ description: 'Opaque; may be empty' }),
  standardized,
  quote_id: maybe(uuid).meta({ description: 'Pins the fee of an earlier quote' }),
})

const orderList = z.object({ ...orderRows('orders').shape, next_cursor: orNull(z.string()) })

const warnings = z.array(z.string()).meta({
  description:
    'For a person to look at; nothing is changed or refused by it. The point may be far from where orders for the same phone and address were handed over',
})

const createReply = z.object({ order, idempotent: z.boolean(), warnings })

const preflight = z.object({
  ok: z.boolean(),
  failures: z.array(z.object({ error: z.string(), message: z.string(), details: rawJson(z.looseObject({})) })),
  quote: orNull(
    z.object({
      fee_minor: minor,
      currency: z.string(),
      quote_id: orNull(id),
      rate_card_id: id,
      rate_card_version: whole,
    }),
  ),
  warnings,
})

export const routes = [
  route({
    method: 'POST',
    path: '/v1/orders',
    operationId: 'createOrder',
    tag,
    summary: 'Create an order',
    description:
      'A repeat of the same (source, external_order_id) with the same content answers 200 with the stored order; with other content, 409 duplicate_order.',
    auth: andKeysManage(merchant('orders:write'), 'keysManageForOrders'),
    idempotent: true,
    body: createBody,
    opaque: 'raw_payload',
    replies: { 201: createReply, 200: createReply },
    errors: [
      'missing_pickup_time',
      'missing_delivery_window',
      'invalid_pickup_time',
      'invalid_delivery_window',
      'OUT_OF_COVERAGE_AREA',
      'insufficient_wallet_for_freelancer_order',
      'billing_blocked',
      'kyb_required',
      'duplicate_order',
      'quote_expired',
      'quote_mismatch',
      'idempotency_conflict',
      'idempotency_in_progress',
    ],
    async handle({ body, idempotency }, services) {
      const created = await services.order.createOrder({
        source: body.source,
        external_order_id: body.external_order_id,
        raw_payload_json: JSON.stringify(body.raw_payload),
        standardized_json: JSON.stringify(body.standardized),
        quote_id: body.quote_id,
        idempotency,
      })
      const { idempotent, warnings } = created
      const replayed = created.replayed ? { 'Idempotent-Replayed': 'true' } : undefined
      return reply(idempotent ? 200 : 201, { order: orderOf(created.order), idempotent, warnings }, replayed)
    },
  }),
  route({
    method: 'POST',
    path: '/v1/orders/preflight',
    operationId: 'preflightOrder',
    tag,
    summary: 'Ask what the creation of an order would be refused for',
    description:
      'Takes the body of the creation and stores nothing. failures has each error that the creation would answer with if it were the only one, in the order in which it judges; ok means that there is none at this moment.',
    auth: andKeysManage(merchant('orders:write'), 'keysManageForOrders'),
    body: createBody,
    opaque: 'raw_payload',
    replies: { 200: preflight },
    errors: [],
    async handle({ body }, services) {
      const { failures, quote, warnings } = await services.order.preflightOrder({
        source: body.source,
        external_order_id: body.external_order_id,
        raw_payload_json: JSON.stringify(body.raw_payload),
        standardized_json: JSON.stringify(body.standardized),
        quote_id: body.quote_id,
      })
      const named = failures.map(({ error, message, details_json: details }) => ({ error, message, details }))
      return reply(200, { ok: failures.length === 0, failures: named, quote, warnings })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/orders',
    operationId: 'listOrders',
    tag,
    summary: 'List orders, newest first',
    description:
      'A row is at most 128 KiB: of a larger record raw_payload, then standardized.items, then unknown keys are cut, as in webhooks. By id an order is whole. total is exact up to 100,000.',
    auth: merchant('orders:read', 'orders:write'),
    query: {
      ...paging(),
      cursor: text(512).optional().meta({ description: 'next_cursor of an earlier page; replaces offset' }),
      source: text(64, 0).optional(),
      external_order_id: text(512, 0).optional(),
      is_test: booleanWord.optional(),
      status: text(128, 0).optional(),
      payment_verified: booleanWord.optional(),
    },
    replies: { 200: orderList },
    errors: [],
    async handle({ query }, services) {
      const listed = await services.order.listOrders(query)
      return reply(200, { ...listed, orders: orderRowsOf(listed.orders, query) })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/orders/{id}',
    operationId: 'getOrder',
    tag,
    summary: 'Read an order',
    description:
      'The order as it stands now. 404 also for an order of another merchant, or of the environment that the credential does not see.',
    auth: merchant('orders:read', 'orders:write'),
    params: { id: uuid },
    replies: { 200: oneOrder },
    errors: ['not_found'],
    async handle({ params }, services) {
      const found = await services.order.getOrder({ id: params.id })
      return reply(200, { order: orderOf(found.order) })
    },
  }),
  route({
    method: 'PATCH',
    path: '/v1/orders/{id}',
    operationId: 'updateOrder',
    tag,
    summary: 'Set the status, the payment mark, or both',
    description:
      'For merchants who move orders by their own systems. With `expected_status` it is 409 `status_conflict` where somebody else was faster; a move that the operator does not admit is 409 `invalid_transition`.',
    auth: andKeysManage(merchant('orders:write'), 'keysManageForOrderPatch'),
    params: { id: uuid },
    body: z
      .object({
        status: text(128).optional(),
        payment_verified: z.boolean().optional(),
        expected_status: text(128)
          .optional()
          .meta({ description: 'Refused with 409 while the order has another status' }),
      })
      .superRefine(({ status, payment_verified }, ctx) => {
        if (status !== undefined || payment_verified !== undefined) return
        const message = 'status or payment_verified is required.'
        ctx.addIssue({ code: 'custom', path: ['status'], message, params: { rule: 'required' } })
      }),
    replies: { 200: oneOrder },
    errors: ['not_found', 'billing_blocked', 'status_conflict', 'invalid_transition', 'insufficient_merchant_wallet'],
    async handle({ params, body }, services) {
      const updated = await services.order.updateOrder({ id: params.id, ...body })
      return reply(200, { order: orderOf(updated.order) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/orders/{id}/cancel',
    operationId: 'cancelOrder',
    tag,
    summary: 'Cancel an order',
    description: 'Cancelling a cancelled order changes nothing and answers already_cancelled.',
    auth: andKeysManage(merchant('orders:write'), 'keysManageForOrders'),
    params: { id: uuid },
    body: cancelBody,
    replies: { 200: cancelledOrder },
    errors: ['not_found', 'cannot_cancel', 'insufficient_merchant_wallet'],
    async handle({ params, body }, services) {
      return reply(200, cancelledOrderOf(await services.order.cancelOrder({ id: params.id, ...body })))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/orders/{id}/rider-assignment',
    operationId: 'assignRider',
    tag,
    summary: 'Give the order to a rider, or to nobody',
    description: 'The rider it has already changes nothing. Test orders take the sandbox rider alone.',
    auth: andKeysManage(merchant('orders:write'), 'keysManageForOrderPatch'),
    params: { id: uuid },
    body: assignBody,
    replies: { 200: assignedRider },
    errors: [
      'not_found',
      'rider_not_found',
      'order_terminal',
      'invalid_state',
      'rider_unavailable',
      'test_rider_required',
      'kyc_not_approved',
      'billing_blocked',
      'insufficient_wallet_for_freelancer_order',
    ],
    async handle({ params, body }, services) {
      const rider_id = body.rider_id ?? undefined
      return reply(200, assignedRiderOf(await services.assignment.assignRider({ order_id: params.id, rider_id })))
    },
  }),
  route({
    method: 'GET',
    path: '/v1/orders/{id}/dispatch-candidates',
    operationId: 'listDispatchCandidates',
    tag,
    summary: 'List riders near a point, best first',
    description:
      'Who could be given the order, seen from `lat` and `lng`. Nobody is asked by it. An empty list where nobody is near.',
    auth: merchant('orders:read'),
    params: { id: uuid },
    query: { lat: latitudeWord, lng: longitudeWord, metres: upTo(100_000, 5_000), limit: upTo(50, 20) },
    replies: { 200: candidates },
    errors: ['not_found'],
    async handle({ params, query: { lat, lng, metres, limit } }, services) {
      const request = { order_id: params.id, point: { lat, lng }, metres, limit }
      const found = await services.assignment.listDispatchCandidates(request)
      const asked = { order_id: params.id, lat, lng, metres, limit }
      return reply(200, { ...asked, candidates: found.candidates.map(nearRiderOf) })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/orders/{id}/dispatch-trace',
    operationId: 'getDispatchTrace',
    tag,
    summary: 'Read why each rider was asked or left out',
    description: 'Round by round, who was considered, who got an offer, and why the others got none.',
    auth: merchant('orders:read', 'orders:write'),
    params: { id: uuid },
    replies: { 200: dispatchTrace },
    errors: ['not_found'],
    async handle({ params }, services) {
      return reply(200, dispatchTraceOf(await services.assignment.getDispatchTrace({ order_id: params.id })))
    },
  }),
]
