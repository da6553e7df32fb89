import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { countByStatus, findShipment } from '../db/shipments.ts'
import type { Shipment } from '../domain/shipment.ts'

/** A shipment, and how many of its orders have which status. */
export async function getShipment(
  { reads }: Pick<Context, 'reads'>,
  { scope }: By<Tenant>,
  { shipmentId }: { shipmentId: string },
): Promise<{ shipment: Shipment; counts: ReadonlyMap<string, number> }> {
  const read = reads.in(scope)
  const shipment = await findShipment(read, scope, shipmentId)
  return { shipment, counts: await countByStatus(read, shipment) }
}
