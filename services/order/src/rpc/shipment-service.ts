import type { ShipmentInput as InputMessage } from '@svc/contracts/order/v1/shipment_service'
import { ShipmentServiceService } from '@svc/contracts/order/v1/shipment_service'
import { merchant, rpc, serving } from '@svc/grpc'
import { idField, validate } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { ShipmentInput } from '../creations/draft-shipment.ts'
import { SHIPMENT_STATUSES } from '../domain/shipment.ts'
import { createdMessage, shipmentMessage, shipmentReply, submittedMessage } from '../messages/shipment.ts'
import { cancelShipment } from '../use-cases/cancel-shipment.ts'
import { createShipment } from '../use-cases/create-shipment.ts'
import { getShipment } from '../use-cases/get-shipment.ts'
import { listShipments } from '../use-cases/list-shipments.ts'
import { stageShipmentRows } from '../use-cases/stage-shipment-rows.ts'
import { submitShipment } from '../use-cases/submit-shipment.ts'
import { uploadShipment } from '../use-cases/upload-shipment.ts'

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100
/** Of the staged rows of one shipment. */
const MAX_PARTS = 64
const MAX_PART_BYTES = 2 * 1024 * 1024

const writers = merchant('orders:write')
const readers = merchant('orders:read', 'orders:write')

const staged = z
  .object({
    upload_id: idField,
    part: z
      .int()
      .min(0)
      .max(MAX_PARTS - 1),
    rows: z.custom<Buffer>().refine((rows) => rows.length <= MAX_PART_BYTES, { params: { rule: 'max' } }),
  })
  .transform(({ upload_id: uploadId, ...rest }) => ({ uploadId, ...rest }))

const place = z.object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) })

const shipmentInput = z
  .object({
    upload_id: idField,
    parts: z.int().min(0).max(MAX_PARTS),
    pickup: z.object({ address: z.string().min(3).max(500), point: place.optional() }).optional(),
    scheduled_pickup_at: z.string().optional(),
    delivery_window_start: z.string().optional(),
    delivery_window_end: z.string().optional(),
  })
  .transform(
    ({ upload_id: uploadId, parts, pickup, ...times }): ShipmentInput => ({
      uploadId,
      parts,
      pickup: pickup ? { address: pickup.address, point: pickup.point ?? null } : null,
      times,
    }),
  )

const EMPTY: InputMessage = { upload_id: '', parts: 0 }
const drafted = z
  .custom<{ shipment?: InputMessage | undefined }>()
  .transform(({ shipment = EMPTY }) => shipment)
  .pipe(shipmentInput)

const asked = z.object({
  limit: z
    .int()
    .min(0)
    .transform((limit) => Math.min(limit || DEFAULT_LIMIT, MAX_LIMIT)),
  offset: z.int().min(0),
  status: z.enum(SHIPMENT_STATUSES).optional(),
})

/** The rpcs of shipments, each within the merchant's own. */
export const shipmentService = serving<Context>()(ShipmentServiceService, {
  stageShipmentRows: rpc({
    access: writers,
    input: staged,
    async handle(ctx, by, input) {
      await stageShipmentRows(ctx, by, input)
      return {}
    },
  }),

  createShipment: rpc({
    access: writers,
    handle: async (ctx, by, request) => {
      const input = { ...validate(drafted, request), idempotency: request.idempotency }
      return createdMessage(await createShipment(ctx, by, input))
    },
  }),

  uploadShipment: rpc({
    access: writers,
    handle: async (ctx, by, request) =>
      uploadShipment(ctx, by, { ...validate(drafted, request), idempotency: request.idempotency }),
  }),

  getShipment: rpc({
    access: readers,
    async handle(ctx, by, { id: shipmentId }) {
      const { shipment, counts } = await getShipment(ctx, by, { shipmentId })
      return shipmentReply(shipment, counts)
    },
  }),

  listShipments: rpc({
    access: readers,
    input: asked,
    async handle(ctx, by, page) {
      const { shipments, total } = await listShipments(ctx, by, page)
      return { shipments: shipments.map(shipmentMessage), total, limit: page.limit, offset: page.offset }
    },
  }),

  submitShipment: rpc({
    access: writers,
    async handle(ctx, by, { id: shipmentId }) {
      const { shipment, changed } = await submitShipment(ctx, by, { shipmentId })
      return submittedMessage(shipment, changed)
    },
  }),

  cancelShipment: rpc({
    access: writers,
    async handle(ctx, by, { id: shipmentId }) {
      const { shipment, changed } = await cancelShipment(ctx, by, { shipmentId })
      return { shipment: shipmentMessage(shipment), already_cancelled: !changed }
    },
  }),
})
