import { ShipmentHoldServiceService } from '@svc/contracts/wallet/v1/shipment_hold_service'
import { rpc, service, serving } from '@svc/grpc'
import { amountMinor, idField, text } from '@svc/inputs'
import * as z from 'zod'
import type { Context } from '../context.ts'
import { closeShipmentHold } from '../use-cases/shipments/close-shipment-hold.ts'
import { giveUpShipmentHold } from '../use-cases/shipments/give-up-shipment-hold.ts'
import { placeShipmentHold } from '../use-cases/shipments/place-shipment-hold.ts'
import { releaseShipmentPart } from '../use-cases/shipments/release-shipment-part.ts'

const MAX_PARTS = 5_000

/** The rpcs of the holds of shipments. */
export const shipmentHoldService = serving<Context>()(ShipmentHoldServiceService, {
  placeShipmentHold: rpc({
    access: service('order'),
    input: z.object({
      op_key: text(255),
      shipment_id: idField,
      merchant_id: idField,
      is_test: z.boolean(),
      parts: z.array(z.object({ order_id: idField, amount_minor: amountMinor })).max(MAX_PARTS),
    }),
    async handle(ctx, by, request) {
      const placed = await placeShipmentHold(ctx, by, {
        opKey: request.op_key,
        shipmentId: request.shipment_id,
        merchantId: request.merchant_id,
        isTest: request.is_test,
        parts: request.parts.map((part) => ({ orderId: part.order_id, amountMinor: part.amount_minor })),
      })
      return {
        outcome: placed.heldMinor === null ? 'declined' : 'applied',
        held_minor: placed.heldMinor ?? 0,
        required_minor: placed.requiredMinor,
        balance_minor: placed.balanceMinor,
      }
    },
  }),

  giveUpShipmentHold: rpc({
    access: service('order'),
    input: z.object({ op_key: text(255), shipment_id: idField, place_op_key: text(255) }),
    async handle(ctx, by, { op_key: opKey, shipment_id: shipmentId, place_op_key: placeOpKey }) {
      await giveUpShipmentHold(ctx, by, { opKey, shipmentId, placeOpKey })
      return {}
    },
  }),

  releaseShipmentPart: rpc({
    access: service('order'),
    input: z.object({ order_id: idField }),
    async handle(ctx, by, { order_id: orderId }) {
      await releaseShipmentPart(ctx, by, { orderId })
      return {}
    },
  }),

  closeShipmentHold: rpc({
    access: service('order'),
    input: z.object({ shipment_id: idField }),
    async handle(ctx, by, { shipment_id: shipmentId }) {
      await closeShipmentHold(ctx, by, { shipmentId })
      return {}
    },
  }),
})
