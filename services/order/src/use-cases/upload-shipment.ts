import type { Idempotency } from '@svc/contracts/common/v1/common'
import type { UploadShipmentResponse } from '@svc/contracts/order/v1/shipment_service'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { draftShipment, type ShipmentInput, type Way } from '../creations/draft-shipment.ts'

const WAY: Way = {
  source: 'csv_upload',
  route: 'uploadShipment',
  keepsGoodRows: true,
  nameOf: (row, field) => `row ${row}${field && `: ${field}`}`,
}

/** Drafts a shipment of those rows that are right; only where none is, it is refused. */
export const uploadShipment = (
  ctx: Context,
  by: By<Tenant>,
  input: ShipmentInput & { idempotency?: Idempotency | undefined },
): Promise<UploadShipmentResponse> => draftShipment(ctx, by, WAY, input)
