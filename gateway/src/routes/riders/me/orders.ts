import { maybe, paging, text, timestamp, uuid } from '@svc/inputs'
import { order, orderOf } from '@svc/public-bodies'
import * as z from 'zod'
import { riderStatus, storageKey } from '../../../bodies/assignment.ts'
import { cashReport } from '../../../bodies/cash.ts'
import { oneOrder, orderRows, orderRowsOf } from '../../../bodies/order.ts'
import { latitude, longitude, pointIn, wholePoints } from '../../../bodies/point.ts'
import { code, sentOtp, sentOtpOf } from '../../../bodies/rider.ts'
import { reply, rider, route } from '../../../http/route.ts'

const tag = 'Riders: work'

const here = { lat: maybe(latitude), lng: maybe(longitude) }

const statusBody = z
  .object({
    status: riderStatus,
    ...here,
    occurred_at: maybe(timestamp),
    reason: maybe(text(500)).meta({ description: 'Required for returned_to_merchant and lost_in_transit' }),
    photo_storage_key: maybe(storageKey),
    client_event_id: maybe(text(128)).meta({ description: 'Makes repeats of one act one act' }),
    ...cashReport,
  })
  .superRefine(wholePoints(['lat', 'lng']))

const declineBody = z.object({ reason: maybe(text(500)) })

const verifyBody = z
  .object({ code, photo_storage_key: maybe(storageKey), ...here, ...cashReport })
  .superRefine(wholePoints(['lat', 'lng']))

export const routes = [
  route({
    method: 'GET',
    path: '/v1/riders/me/orders',
    operationId: 'listRiderOrders',
    tag,
    summary: "List the rider's orders, newest first",
    description: 'Page by `limit` and `offset`; `status` filters.',
    auth: rider(),
    query: { ...paging(), status: text(128, 0).optional() },
    replies: { 200: orderRows('orders') },
    errors: [],
    async handle({ query }, services) {
      const listed = await services.fulfilment.listRiderOrders(query)
      return reply(200, { ...listed, orders: orderRowsOf(listed.orders, query) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/riders/me/orders/{orderId}/status',
    operationId: 'updateRiderOrderStatus',
    tag,
    summary: 'Report progress',
    description:
      'Strictly accepted, picked_up, in_transit (may be left out), delivered; returned_to_merchant and lost_in_transit after the pickup.',
    auth: rider(),
    params: { orderId: uuid },
    body: statusBody,
    replies: { 200: oneOrder },
    errors: [
      'not_found',
      'invalid_transition',
      'pod_required',
      'idempotency_conflict',
      'invalid_state',
      'uploads_not_configured',
      'insufficient_merchant_wallet',
    ],
    async handle({ params, body }, services) {
      const updated = await services.fulfilment.updateRiderOrderStatus({
        order_id: params.orderId,
        status: body.status,
        point: pointIn(body),
        occurred_at: body.occurred_at,
        reason: body.reason,
        photo_storage_key: body.photo_storage_key,
        client_event_id: body.client_event_id,
        cod_collected_minor: body.cod_collected_minor,
        cod_reason: body.cod_reason,
      })
      return reply(200, { order: orderOf(updated.order) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/riders/me/orders/{orderId}/decline',
    operationId: 'declineRiderOrder',
    tag,
    summary: 'Give back an order that was assigned without asking',
    description:
      'Until the rider has accepted or collected it by an act of its own, whatever status the merchant has set; a repeat is a 404.',
    auth: rider(),
    params: { orderId: uuid },
    body: declineBody,
    replies: { 200: oneOrder },
    errors: ['not_found', 'invalid_transition'],
    async handle({ params, body }, services) {
      const declined = await services.fulfilment.declineRiderOrder({ order_id: params.orderId, reason: body.reason })
      return reply(200, { order: orderOf(declined.order) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/riders/me/orders/{orderId}/pod-otp/request',
    operationId: 'requestPodOtp',
    tag,
    summary: 'Send the delivery code to the customer',
    description: 'Test orders send nothing and accept 000000.',
    auth: rider(),
    params: { orderId: uuid },
    replies: { 200: sentOtp },
    errors: ['not_found', 'order_terminal', 'otp_cooldown', 'outbound_sms_not_configured'],
    async handle({ params }, services) {
      const { otp } = await services.proof.requestPodOtp({ order_id: params.orderId })
      return reply(200, sentOtpOf(otp))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/riders/me/orders/{orderId}/pod-otp/verify',
    operationId: 'verifyPodOtp',
    tag,
    summary: 'Prove the delivery with the code that the customer tells',
    description:
      'Delivers the order and keeps the proof. A repeat with the same code answers the same; after too many wrong codes it is 429 `otp_locked`.',
    auth: rider(),
    params: { orderId: uuid },
    body: verifyBody,
    replies: { 200: z.object({ verified: z.literal(true), order }) },
    errors: [
      'not_found',
      'order_terminal',
      'invalid_state',
      'invalid_otp',
      'otp_expired',
      'otp_locked',
      'uploads_not_configured',
      'insufficient_merchant_wallet',
    ],
    async handle({ params, body }, services) {
      const proven = await services.proof.verifyPodOtp({
        order_id: params.orderId,
        code: body.code,
        photo_storage_key: body.photo_storage_key,
        point: pointIn(body),
        cod_collected_minor: body.cod_collected_minor,
        cod_reason: body.cod_reason,
      })
      return reply(200, { verified: true, order: orderOf(proven.order) })
    },
  }),
]
