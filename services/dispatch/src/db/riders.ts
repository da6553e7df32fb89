import { ServiceError } from '@svc/errors'
import { isUuid, type Page } from '@svc/inputs'
import type { Tx } from '@svc/transact'
import type { KycStatus, Rider, RiderChange } from '../domain/rider.ts'
import { riderCreated, riderUpdated } from '../events.ts'
import { type Listed, listed } from './listed.ts'
import { columnOf, rowOf, type Source, write } from './rows.ts'

/** Of table `r`. */
const RIDER = Object.keys({
  id: true,
  riderType: true,
  merchantId: true,
  name: true,
  phone: true,
  phoneVerifiedAt: true,
  vehicleType: true,
  city: true,
  kycStatus: true,
  isOnline: true,
  proofRequired: true,
  fleetSince: true,
  createdBy: true,
  wasFreelancer: true,
  createdAt: true,
  updatedAt: true,
  version: true,
} satisfies Record<keyof Rider, true>)
  .map((property) => `r.${columnOf(property)}`)
  .join(', ')

/** The rider as it is, or null. */
export const findRider = (source: Source, id: string): Promise<Rider | null> =>
  isUuid(id) ? one(source, 'id = $1', id) : Promise.resolve(null)

/** The rider, held against other writers: nothing that hangs on its fleet, its state or its orders runs beside this. */
export const lockRider = (tx: Tx, id: string): Promise<Rider | null> =>
  isUuid(id) ? one(tx, 'id = $1 FOR UPDATE', id) : Promise.resolve(null)

export const findRiderByPhone = (source: Source, phone: string): Promise<Rider | null> =>
  one(source, 'phone = $1', phone)

/** The same, held against other writers. */
export const lockRiderByPhone = (tx: Tx, phone: string): Promise<Rider | null> =>
  one(tx, 'phone = $1 FOR UPDATE', phone)

const one = (source: Source, where: string, value: string): Promise<Rider | null> =>
  rowOf<Rider>(source, `SELECT ${RIDER} FROM riders r WHERE ${where}`, [value])

export const RIDER_SORTS = ['created_desc', 'created_asc', 'updated_desc', 'updated_asc'] as const

const ORDER_BY: Readonly<Record<(typeof RIDER_SORTS)[number], string>> = {
  created_desc: 'r.created_at DESC, r.id DESC',
  created_asc: 'r.created_at, r.id',
  updated_desc: 'r.updated_at DESC, r.id DESC',
  updated_asc: 'r.updated_at, r.id',
}

export interface RiderFilter {
  merchantId?: string
  kycStatus?: KycStatus
  isOnline?: boolean
}

/** One page of the riders that fit. */
export const pageOfRiders = (
  source: Source,
  { merchantId, kycStatus, isOnline }: RiderFilter,
  { sort = 'created_desc', ...page }: Page & { sort?: (typeof RIDER_SORTS)[number] },
): Promise<Listed<Rider>> =>
  listed<Rider>(source, {
    columns: RIDER,
    from: 'riders r',
    where: { 'r.merchant_id = ?::uuid': merchantId, 'r.kyc_status = ?': kycStatus, 'r.is_online = ?': isOnline },
    orderBy: ORDER_BY[sort],
    page,
  })

export type NewRider = Pick<Rider, 'riderType' | 'merchantId' | 'name' | 'phone' | 'vehicleType' | 'city'> & {
  /** Made here unless given. */
  id?: string
}

/** Makes a rider who has proven nothing yet and announces it; null when another rider has the phone. */
export async function createRider(tx: Tx, given: NewRider): Promise<Rider | null> {
  const { id, riderType, merchantId, name, phone, vehicleType, city } = given
  const rider = await rowOf<Rider>(
    tx,
    `INSERT INTO riders AS r (id, rider_type, merchant_id, created_by, fleet_since, name, phone, vehicle_type, city, kyc_status,
                              created_at, updated_at)
     VALUES (coalesce($8, gen_random_uuid()), $1, $2::uuid, $2, CASE WHEN $2 IS NOT NULL THEN $7::timestamptz END, $3, $4, $5,
             $6, 'pending', $7, $7)
     ON CONFLICT (phone) DO NOTHING RETURNING ${RIDER}`,
    [riderType, merchantId, name, phone, vehicleType, city, tx.now, id ?? null],
  )
  if (rider) tx.publish(riderCreated(rider))
  return rider
}

/**
 * Writes the change under the next version and announces it. The caller holds the row; a phone that another rider has is
 * phone_in_use.
 */
export async function changeRider(tx: Tx, id: string, change: RiderChange): Promise<Rider> {
  const sets = Object.keys(change).map((property, index) => `${columnOf(property)} = $${index + 3}`)
  try {
    const rider = await rowOf<Rider>(
      tx,
      `UPDATE riders r SET ${[...sets, 'updated_at = $2', 'version = version + 1'].join(', ')} WHERE id = $1
       RETURNING ${RIDER}`,
      [id, tx.now, ...Object.values(change)],
    )
    tx.publish(riderUpdated(rider!))
    return rider!
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'riders_phone_taken') throw new ServiceError('phone_in_use')
    throw error
  }
}

/** The rider has completed an order now: of riders as near, those who wait longest are asked first. */
export async function noteCompletion(tx: Tx, id: string): Promise<void> {
  await write(tx, 'UPDATE riders SET last_completed_at = greatest(last_completed_at, $2) WHERE id = $1', [id, tx.now])
}
