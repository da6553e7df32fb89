import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { pageOfShipments } from '../db/shipments.ts'
import type { Shipment, ShipmentStatus } from '../domain/shipment.ts'

/** A page of shipments, newest first. */
export const listShipments = (
  { reads }: Pick<Context, 'reads'>,
  { scope }: By<Tenant>,
  page: { limit: number; offset: number; status?: ShipmentStatus | undefined },
): Promise<{ shipments: Shipment[]; total: number }> => pageOfShipments(reads, scope, page)
