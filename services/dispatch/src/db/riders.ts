import { ServiceError } from '@svc/errors'
import { isUuid } from '@svc/inputs'
import type { Tx } from '@svc/outbox'
import type { Rider, RiderChange } from '../domain/rider.ts'

const COLUMNS: Readonly<Record<keyof Rider, string>> = {
  id: 'id',
  riderType: 'rider_type',
  merchantId: 'merchant_id',
  name: 'name',
  phone: 'phone',
  phoneVerifiedAt: 'phone_verified_at',
  vehicleType: 'vehicle_type',
  city: 'city',
  kycStatus: 'kyc_status',
  isOnline: 'is_online',
  proofRequired: 'proof_required',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  version: 'version',
}

/** Of table `r`. */
export const RIDER_COLUMNS = Object.entries(COLUMNS)
  .map(([name, column]) => `r.${column} AS "${name}"`)
  .join(', ')

/** The rider as it is, or null. */
export const findRider = (tx: Pick<Tx, 'sql'>, id: string): Promise<Rider | null> =>
  isUuid(id) ? one(tx, 'id = $1', id) : Promise.resolve(null)

/** The rider, held against other writers: nothing that hangs on its fleet, its state or its orders runs beside this. */
export const lockRider = (tx: Tx, id: string): Promise<Rider | null> =>
  isUuid(id) ? one(tx, 'id = $1 FOR UPDATE', id) : Promise.resolve(null)

export const findRiderByPhone = (tx: Tx, phone: string): Promise<Rider | null> => one(tx, 'phone = $1', phone)

/** The same, held against other writers. */
export const lockRiderByPhone = (tx: Tx, phone: string): Promise<Rider | null> =>
  one(tx, 'phone = $1 FOR UPDATE', phone)

async function one({ sql }: Pick<Tx, 'sql'>, where: string, value: string): Promise<Rider | null> {
  const { rows } = await sql<Rider>(`SELECT ${RIDER_COLUMNS} FROM riders r WHERE ${where}`, [value])
  return rows[0] ?? null
}

export type NewRider = Pick<Rider, 'riderType' | 'merchantId' | 'name' | 'phone' | 'vehicleType' | 'city'> & {
  /** Made here unless given. */
  id?: string
}

/** A rider who has proven nothing yet; null when the phone is somebody's. */
export async function insertRider(tx: Tx, rider: NewRider): Promise<Rider | null> {
  const { id, riderType, merchantId, name, phone, vehicleType, city } = rider
  const { rows } = await tx.sql<Rider>(
    `INSERT INTO riders AS r (id, rider_type, merchant_id, name, phone, vehicle_type, city, kyc_status, created_at, updated_at)
     VALUES (coalesce($8, gen_random_uuid()), $1, $2, $3, $4, $5, $6, 'pending', $7, $7)
     ON CONFLICT (phone) DO NOTHING RETURNING ${RIDER_COLUMNS}`,
    [riderType, merchantId, name, phone, vehicleType, city, tx.now, id ?? null],
  )
  return rows[0] ?? null
}

/** Writes the change under the next version. The caller holds the row; a phone of somebody else's is phone_in_use. */
export async function updateRider(tx: Tx, id: string, change: RiderChange): Promise<Rider> {
  const fields = Object.entries(change) as Array<[keyof RiderChange, unknown]>
  const sets = fields.map(([name], index) => `${COLUMNS[name]} = $${index + 3}`)
  const values = fields.map(([, value]) => value)
  try {
    const { rows } = await tx.sql<Rider>(
      `UPDATE riders r SET ${[...sets, 'updated_at = $2', 'version = version + 1'].join(', ')} WHERE id = $1
       RETURNING ${RIDER_COLUMNS}`,
      [id, tx.now, ...values],
    )
    return rows[0]!
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'riders_phone_taken') throw new ServiceError('phone_in_use')
    throw error
  }
}
