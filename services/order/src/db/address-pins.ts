import type { Expiry } from '@svc/lifecycle'
import type { Tx } from '@svc/transact'
import { NEAR_M, type Pin } from '../domain/address-memory.ts'
import type { Point } from '../domain/order-draft.ts'
import type { WriteTenant } from '../domain/tenant.ts'

/** On the plane that touches the sphere: near enough for what is near. */
const METRES = `111195 * sqrt((excluded.lat - p.lat) ^ 2 + (cos(radians(p.lat)) * (excluded.lng - p.lng)) ^ 2)`
const IS_NEAR = `${METRES} <= ${NEAR_M}`
/** The last of them weigh as much as all before: people move. */
const WEIGHT = 'least(p.proofs + 1, 5)'

/**
 * Learns from a proof of delivery where a phone and address are. One that agrees moves the pin towards it; one that does not
 * makes it less sure, and takes its place only once nothing speaks for it any more.
 */
export async function learnPin(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  { merchantId, isTest }: WriteTenant,
  key: Buffer,
  { lat, lng }: Point,
): Promise<void> {
  await sql(
    `INSERT INTO address_pins AS p (merchant_id, is_test, key, lat, lng, proofs, proven_at) VALUES ($1, $2, $3, $4, $5, 1, $6)
     ON CONFLICT (merchant_id, is_test, key) DO UPDATE SET
       lat = CASE WHEN ${IS_NEAR} THEN p.lat + (excluded.lat - p.lat) / ${WEIGHT} WHEN p.proofs = 1 THEN excluded.lat ELSE p.lat END,
       lng = CASE WHEN ${IS_NEAR} THEN p.lng + (excluded.lng - p.lng) / ${WEIGHT} WHEN p.proofs = 1 THEN excluded.lng ELSE p.lng END,
       proofs = CASE WHEN ${IS_NEAR} THEN least(p.proofs + 1, 10) ELSE greatest(p.proofs - 1, 1) END,
       proven_at = excluded.proven_at`,
    [merchantId, isTest, key, lat, lng, now],
  )
}

/** What is remembered under the key. */
export async function findPin(
  { sql }: Pick<Tx, 'sql'>,
  { merchantId, isTest }: WriteTenant,
  key: Buffer,
): Promise<Pin | null> {
  const { rows } = await sql<Pin>(
    'SELECT lat, lng, proofs FROM address_pins WHERE merchant_id = $1 AND is_test = $2 AND key = $3',
    [merchantId, isTest, key],
  )
  return rows[0] ?? null
}

/** What no delivery has confirmed for a year, in the sandbox for a month, is forgotten. */
export const expiries: readonly Expiry[] = [
  { table: 'address_pins', age: 'proven_at', keep: "interval '365 days'", where: 'NOT is_test' },
  { table: 'address_pins', age: 'proven_at', keep: "interval '30 days'", where: 'is_test' },
]
