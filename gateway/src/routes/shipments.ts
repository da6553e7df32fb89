import { randomUUID } from 'node:crypto'
import { paging, uuid } from '@svc/inputs'
import { page, whole } from '@svc/public-bodies'
import * as z from 'zod'
import {
  BULK_LIMITS,
  bodyRows,
  bulkBody,
  createdShipment,
  pickupMessage,
  SHIPMENT_STATUSES,
  shipment,
  shipmentOf,
  stageRows,
  submittedShipment,
  UPLOAD_LIMITS,
  uploadedShipment,
  uploadFields,
} from '../bodies/shipment.ts'
import { csvRows } from '../bodies/shipment-csv.ts'
import { andKeysManage, merchant, reply, route } from '../http/route.ts'

const tag = 'Shipments'
/** Five thousand rows take their time. */
const ROWS_DEADLINE_MS = 60_000
const writing = andKeysManage(merchant('orders:write'), 'keysManageForOrders')
const reading = merchant('orders:read', 'orders:write')
const DRAFT_ERRORS = [
  'missing_pickup_time',
  'missing_delivery_window',
  'invalid_pickup_time',
  'invalid_delivery_window',
  'OUT_OF_COVERAGE_AREA',
  'billing_blocked',
  'kyb_required',
  'idempotency_conflict',
  'idempotency_in_progress',
] as const
const one = z.object({ shipment })

export const routes = [
  route({
    method: 'GET',
    path: '/v1/shipments',
    operationId: 'listShipments',
    tag,
    summary: 'List shipments, newest first',
    description: 'Page by `limit` and `offset`; `status` filters.',
    auth: reading,
    query: { ...paging(100, 20), status: z.enum(SHIPMENT_STATUSES).optional() },
    replies: { 200: page('items', shipment) },
    errors: [],
    async handle({ query }, services) {
      const { shipments, ...listed } = await services.shipment.listShipments(query)
      return reply(200, { ...listed, items: shipments.map(shipmentOf) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/shipments/bulk-json',
    operationId: 'createShipment',
    tag,
    summary: 'Draft a shipment of up to 5,000 orders',
    description:
      'Nothing is dispatched and nobody hears of it before the submit. One wrong row refuses all. Bodies of up to 8 MiB.',
    auth: writing,
    deadlineMs: ROWS_DEADLINE_MS,
    idempotent: true,
    body: bulkBody,
    bodyLimits: BULK_LIMITS,
    replies: { 201: createdShipment },
    errors: DRAFT_ERRORS,
    async handle({ body: { pickup, orders, ...times }, idempotency }, services) {
      const upload_id = randomUUID()
      const parts = await stageRows(bodyRows(orders), (part, rows) =>
        services.shipment.stageShipmentRows({ upload_id, part, rows }),
      )
      const input = { upload_id, parts, pickup: pickupMessage(pickup), ...times }
      const created = await services.shipment.createShipment({ shipment: input, idempotency })
      return reply(201, created, created.replayed ? { 'Idempotent-Replayed': 'true' } : undefined)
    },
  }),
  route({
    method: 'POST',
    path: '/v1/shipments/upload-csv',
    operationId: 'uploadShipment',
    tag,
    summary: 'Draft a shipment of a CSV file of up to 5,000 rows',
    description:
      'The header names recipient_name, recipient_phone and dropoff_address, and may name dropoff_lat, dropoff_lng, package_description, external_order_id, scheduled_pickup_at, delivery_window_start and delivery_window_end. UTF-8, at most 5 MiB. Good rows are kept; the others are named, counted from 1 without the header.',
    auth: writing,
    deadlineMs: ROWS_DEADLINE_MS,
    idempotent: true,
    body: uploadFields,
    upload: UPLOAD_LIMITS,
    replies: { 201: uploadedShipment },
    errors: DRAFT_ERRORS,
    async handle({ body: { pickup, ...times }, file, idempotency }, services) {
      const upload_id = randomUUID()
      const parts = await stageRows(csvRows(file), (part, rows) =>
        services.shipment.stageShipmentRows({ upload_id, part, rows }),
      )
      const input = { upload_id, parts, pickup: pickupMessage(pickup), ...times }
      const created = await services.shipment.uploadShipment({ shipment: input, idempotency })
      return reply(201, created, created.replayed ? { 'Idempotent-Replayed': 'true' } : undefined)
    },
  }),
  route({
    method: 'GET',
    path: '/v1/shipments/{id}',
    operationId: 'getShipment',
    tag,
    summary: 'Read a shipment and how far its orders are',
    description: 'The counts by status are those of now.',
    auth: reading,
    params: { id: uuid },
    replies: { 200: z.object({ shipment, child_order_count: whole }) },
    errors: ['not_found'],
    async handle({ params }, services) {
      const { shipment: found, child_order_count } = await services.shipment.getShipment({ id: params.id })
      return reply(200, { shipment: shipmentOf(found), child_order_count })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/shipments/{id}/submit',
    operationId: 'submitShipment',
    tag,
    summary: 'Submit a draft: its sum is held and its orders begin',
    description: 'Submitting again changes nothing and answers already_submitted.',
    auth: writing,
    deadlineMs: ROWS_DEADLINE_MS,
    params: { id: uuid },
    replies: { 200: submittedShipment },
    errors: [
      'not_found',
      'invalid_state',
      'invalid_pickup_time',
      'OUT_OF_COVERAGE_AREA',
      'wallet_insufficient',
      'billing_blocked',
      'kyb_required',
    ],
    async handle({ params }, services) {
      const submitted = await services.shipment.submitShipment({ id: params.id })
      return reply(200, { ...submitted, already_submitted: submitted.already_submitted || undefined })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/shipments/{id}/cancel',
    operationId: 'cancelShipment',
    tag,
    summary: 'Cancel a draft with all of its orders',
    description: 'Cancelling a cancelled shipment changes nothing and answers already_cancelled.',
    auth: writing,
    deadlineMs: ROWS_DEADLINE_MS,
    params: { id: uuid },
    replies: { 200: one.extend({ already_cancelled: z.literal(true).optional() }) },
    errors: ['not_found', 'cannot_cancel'],
    async handle({ params }, services) {
      const cancelled = await services.shipment.cancelShipment({ id: params.id })
      const already_cancelled = cancelled.already_cancelled || undefined
      return reply(200, { shipment: shipmentOf(cancelled.shipment), already_cancelled })
    },
  }),
]
