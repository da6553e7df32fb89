import { randomInt, randomUUID } from 'node:crypto'
import type { DispatchMesh } from './dispatch-mesh.ts'

interface NewRider {
  id?: string
  merchantId?: string | null
  isOnline?: boolean
  vehicleType?: string
  kycStatus?: string
  /** The merchant whose invite made it. */
  createdBy?: string
}

/** A rider who may work; a freelancer unless a fleet is named, to which it has belonged for long. */
export async function insertRider(mesh: Pick<DispatchMesh, 'sql'>, rider: NewRider = {}): Promise<string> {
  const { id = randomUUID(), merchantId = null, isOnline = true, vehicleType = 'motorcycle' } = rider
  await mesh.sql(
    `INSERT INTO riders (id, rider_type, merchant_id, name, phone, vehicle_type, kyc_status, is_online, created_by, fleet_since,
                         created_at, updated_at)
     VALUES ($1, $2, $3, 'Bola Ade', $4, $5, $6, $7, $8, app_now() - interval '90 days', app_now(), app_now())`,
    [
      id,
      merchantId ? 'merchant_fleet' : 'freelancer',
      merchantId,
      `+234${randomInt(10 ** 9, 10 ** 10)}`,
      vehicleType,
      rider.kycStatus ?? 'approved',
      isOnline,
      rider.createdBy ?? null,
    ],
  )
  return id
}

interface Carried {
  merchantId: string
  riderId: string
  isTest?: boolean
  status?: string
}

/** An order that the rider has under way, as dispatch knows it. */
export async function insertCarriedOrder(mesh: Pick<DispatchMesh, 'sql'>, order: Carried): Promise<string> {
  const orderId = randomUUID()
  const { merchantId, riderId, isTest = false, status = 'accepted' } = order
  await mesh.sql(
    `INSERT INTO dispatch_jobs (order_id, merchant_id, is_test, order_version, status, rider_id, assignment_version,
       pickup_address, dropoff_address, scheduled_pickup_at, delivery_window_end, order_created_at)
     VALUES ($1, $2, $3, 1, $4, $5, 1, 'A', 'B', app_now(), app_now(), app_now())`,
    [orderId, merchantId, isTest, status, riderId],
  )
  await mesh.sql('INSERT INTO rider_active (order_id, rider_id, merchant_id, since) VALUES ($1, $2, $3, app_now())', [
    orderId,
    riderId,
    merchantId,
  ])
  return orderId
}
