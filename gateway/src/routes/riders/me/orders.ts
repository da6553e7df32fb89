import { paging, text, timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'
import { reply, rider, viewedRoute } from '../../../http/route.ts'
import { riderStatus, storageKey } from '../../../schemas/assignment.ts'
import { order, orderRow } from '../../../schemas/order.ts'
import { page } from '../../../schemas/pieces.ts'
import { latitude, longitude, pointIn, wholePoints } from '../../../schemas/point.ts'
import { code, sentOtp } from '../../../schemas/rider.ts'
import { present } from '../../../views/or-null.ts'
import { orderRowView, orderView } from '../../../views/order.ts'
import { sentOtpView } from '../../../views/rider.ts'

const tag = 'Riders: work'

const here = { lat: latitude.nullish(), lng: longitude.nullish() }

const statusBody = z
  .object({
    status: riderStatus,
    ...here,
    occurred_at: timestamp.nullish(),
    reason: text(500).nullish().meta({ description: 'Required for returned_to_merchant and lost_in_transit' }),
    photo_storage_key: storageKey.nullish(),
    client_event_id: text(128).nullish().meta({ description: 'Makes repeats of one act one act' }),
  })
  .superRefine(wholePoints(['lat', 'lng']))

const verifyBody = z
  .object({ code, photo_storage_key: storageKey.nullish(), ...here })
  .superRefine(wholePoints(['lat', 'lng']))

export const riderOrders = [
  viewedRoute({
    method: 'GET',
    path: '/v1/riders/me/orders',
    operationId: 'listRiderOrders',
    tag,
    summary: "List the rider's orders, newest first",
    auth: rider(),
    query: { ...paging(), status: text(128, 0).optional() },
    replies: { 200: page('orders', orderRow) },
    errors: [],
    async handle({ query }, services) {
      const { orders, total, limit, offset } = await services.fulfilment.listRiderOrders(query)
      const withPoints = query.status === undefined
      return reply(200, { orders: orders.map((row) => orderRowView(row, withPoints)), total, limit, offset })
    },
  }),
  viewedRoute({
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
    replies: { 200: z.strictObject({ order }) },
    errors: ['not_found', 'invalid_transition', 'pod_required', 'idempotency_conflict', 'insufficient_merchant_wallet'],
    async handle({ params, body }, services) {
      const updated = await services.fulfilment.updateRiderOrderStatus({
        order_id: params.orderId,
        status: body.status,
        point: pointIn(body),
        occurred_at: body.occurred_at ?? undefined,
        reason: body.reason ?? undefined,
        photo_storage_key: body.photo_storage_key ?? undefined,
        client_event_id: body.client_event_id ?? undefined,
      })
      return reply(200, { order: orderView(present(updated.order)) })
    },
  }),
  viewedRoute({
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
      return reply(200, sentOtpView(present(otp)))
    },
  }),
  viewedRoute({
    method: 'POST',
    path: '/v1/riders/me/orders/{orderId}/pod-otp/verify',
    operationId: 'verifyPodOtp',
    tag,
    summary: 'Prove the delivery with the code that the customer tells',
    auth: rider(),
    params: { orderId: uuid },
    body: verifyBody,
    replies: { 200: z.strictObject({ verified: z.literal(true), order }) },
    errors: [
      'not_found',
      'order_terminal',
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
        photo_storage_key: body.photo_storage_key ?? undefined,
        point: pointIn(body),
      })
      return reply(200, { verified: true, order: orderView(present(proven.order)) })
    },
  }),
]
