import type { Idempotency } from '@svc/contracts/common/v1/common'
import type { UploadShipmentResponse } from '@svc/contracts/order/v1/shipment_service'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { draftShipment, type ShipmentInput, type Way } from '../creations/draft-shipment.ts'

const WAY: Way = {
  source: 'bulk_json',
  route: 'createShipment',
  keepsGoodRows: false,
  nameOf: (row, field) => `orders[${row - 1}]${field && `.${field}`}`,
}

/** Drafts a shipment of rows of which none may be wrong. */
export const createShipment = (
  ctx: Context,
  by: By<Tenant>,
  input: ShipmentInput & { idempotency?: Idempotency | undefined },
): Promise<UploadShipmentResponse> => draftShipment(ctx, by, WAY, input)
