import { randomUUID } from 'node:crypto'
import { type ShipmentInput, type ShipmentRow, ShipmentRows } from '@svc/contracts/order/v1/shipment_service'
import type { Caller } from '@svc/grpc'
import type { Context } from '../src/context.ts'
import type { Estimates, WantedEstimates } from '../src/peers/dispatch.ts'
import type { OrderMesh } from './order-mesh.ts'

export const LAGOS = { address: '1 Marina Road, Lagos', point: { lat: 6.45, lng: 3.39 } }
const CARD = { id: '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11', version: 1, name: 'Platform', currency: 'NGN' }

/** The parts of dispatch that shipments ask, at 1,000 a delivery whose points are known and 500 any other. */
export function pricing() {
  let isOutside: (dropoff: { lat: number; lng: number }) => boolean = () => false
  let answer: Partial<Estimates> = {}
  const estimate = async ({ pickup, dropoffs, opensFrom }: WantedEstimates): Promise<Estimates> => ({
    card: CARD,
    isPriced: true,
    isPickupOutside: false,
    fares: dropoffs.map((dropoff) => ({ isOutside: isOutside(dropoff), feeMinor: pickup ? 1_000 : null })),
    minimumFeeMinor: 500,
    opensAt: opensFrom,
    ...answer,
  })
  const dispatch = { name: 'dispatch', estimate, price: async () => null, stop: async () => {} }
  return {
    dispatch: dispatch as unknown as Context['dispatch'],
    answer: (next: Partial<Estimates>): void => {
      answer = next
    },
    outside: (next: typeof isOutside): void => {
      isOutside = next
    },
  }
}

/** A row that every rule accepts. */
export const row = (changes: Partial<ShipmentRow> = {}): ShipmentRow => ({
  recipient_name: 'Ada Obi',
  recipient_phone: '08031234567',
  dropoff_address: '22 Broad Street, Lagos',
  dropoff_lat: '6.46',
  dropoff_lng: '3.40',
  ...changes,
})

export const rows = (count: number): ShipmentRow[] => Array.from({ length: count }, () => row())

/** Stages rows as the gateway does, and answers what creates a shipment of them. */
export async function staged(
  mesh: OrderMesh,
  caller: Caller,
  sent: readonly ShipmentRow[],
  changes: Partial<ShipmentInput> = {},
): Promise<{ shipment: ShipmentInput }> {
  const upload_id = randomUUID()
  const AT_ONCE = 1_000
  let parts = 0
  for (let from = 0; from < sent.length; from += AT_ONCE) {
    const bytes = ShipmentRows.encode({ rows: sent.slice(from, from + AT_ONCE) }).finish()
    await mesh.shipments(caller).stageShipmentRows({ upload_id, part: parts++, rows: Buffer.from(bytes) })
  }
  return { shipment: { upload_id, parts, pickup: LAGOS, ...changes } }
}

/** A draft of as many orders. */
export async function draft(mesh: OrderMesh, caller: Caller, count: number): Promise<string> {
  const { shipment_id } = await mesh.shipments(caller).createShipment(await staged(mesh, caller, rows(count)))
  return shipment_id
}
