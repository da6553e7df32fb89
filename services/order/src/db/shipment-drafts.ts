import { ServiceError } from '@svc/errors'
import type { Tx } from '@svc/transact'
import type { NewOrder } from '../domain/new-order.ts'
import type { Cancellation } from '../domain/order.ts'
import { PICKUP_SKEW_MS } from '../domain/order-times.ts'
import type { Shipment } from '../domain/shipment.ts'
import type { WriteTenant } from '../domain/tenant.ts'
import { column, FIELDS, OF_A_SHIPMENT, STORED } from './functions/create-order.sql.ts'
import { SHIPMENT_COLUMNS } from './shipments.ts'

type Sql = Pick<Tx, 'sql'>

/** Keeps a part of the rows of a shipment that is about to be created. */
export async function stageRows(
  { sql }: Sql,
  { merchantId }: WriteTenant,
  { uploadId, part, rows }: { uploadId: string; part: number; rows: Uint8Array },
): Promise<void> {
  await sql(
    `INSERT INTO shipment_rows (merchant_id, upload_id, part, rows) VALUES ($1, $2, $3, $4)
     ON CONFLICT (merchant_id, upload_id, part) DO UPDATE SET rows = excluded.rows`,
    [merchantId, uploadId, part, Buffer.from(rows)],
  )
}

/** A part of the staged rows; null where it is not there. */
export async function stagedRows(
  { sql }: Sql,
  { merchantId }: WriteTenant,
  { uploadId, part }: { uploadId: string; part: number },
): Promise<Buffer | null> {
  const { rows } = await sql<{ rows: Buffer }>(
    'SELECT rows FROM shipment_rows WHERE merchant_id = $1 AND upload_id = $2 AND part = $3',
    [merchantId, uploadId, part],
  )
  return rows[0]?.rows ?? null
}

/** Forgets what was staged. */
export async function unstageRows({ sql }: Sql, { merchantId }: WriteTenant, uploadId: string): Promise<void> {
  await sql('DELETE FROM shipment_rows WHERE merchant_id = $1 AND upload_id = $2', [merchantId, uploadId])
}

/** The reply kept for a key of the route; null where there is none; idempotency_conflict when it answered another request. */
export async function findShipmentReply(
  { sql }: Sql,
  { merchantId, isTest }: WriteTenant,
  route: string,
  { key, request_hash }: { key: string; request_hash: Uint8Array },
): Promise<Buffer | null> {
  const { rows } = await sql<{ request_hash: Buffer; reply: Buffer | null }>(
    `SELECT request_hash, reply FROM idempotency
      WHERE merchant_id = $1 AND is_test = $2 AND route = $3 AND key = $4 AND expires_at > app_now()`,
    [merchantId, isTest, route, key],
  )
  if (!rows[0]) return null
  if (!rows[0].request_hash.equals(request_hash)) throw new ServiceError('idempotency_conflict')
  return rows[0].reply
}

/** Keeps a draft. */
export async function insertShipment({ sql }: Sql, shipment: Shipment): Promise<void> {
  const names = SHIPMENT_COLUMNS.map((field) => column(field)).join(', ')
  const slots = SHIPMENT_COLUMNS.map((_, nth) => `$${nth + 1}`).join(', ')
  await sql(
    `INSERT INTO shipments (${names}) VALUES (${slots})`,
    SHIPMENT_COLUMNS.map((field) => shipment[field]),
  )
}

/** What became of the drafts of a shipment that was just kept. */
export async function setTotals({ sql }: Sql, { id, totalOrders, estimatedFeeMinor }: Shipment): Promise<void> {
  await sql('UPDATE shipments SET total_orders = $2, estimated_fee_minor = $3 WHERE id = $1', [
    id,
    totalOrders,
    estimatedFeeMinor,
  ])
}

const DRAFT_FIELDS = [
  ...FIELDS.map((field) => [field, STORED[field]] as const),
  ...(Object.entries(OF_A_SHIPMENT) as Array<[keyof typeof OF_A_SHIPMENT, string]>),
]
const INSERT_DRAFTS = `
  INSERT INTO orders (${DRAFT_FIELDS.map(([field]) => column(field)).join(', ')}, created_at, updated_at)
  SELECT *, $${DRAFT_FIELDS.length + 1}::timestamptz, $${DRAFT_FIELDS.length + 1}::timestamptz
    FROM unnest(${DRAFT_FIELDS.map(([, type], nth) => `$${nth + 1}::${type}[]`).join(', ')})
  ON CONFLICT (merchant_id, is_test, source, external_order_id) DO NOTHING
  RETURNING id`

/** Keeps drafts; answers the ids of those whose natural key was free. */
export async function insertDrafts(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  drafts: readonly NewOrder[],
): Promise<Set<string>> {
  const values = DRAFT_FIELDS.map(([field]) => drafts.map((draft) => draft[field]))
  const { rows } = await sql<{ id: string }>(INSERT_DRAFTS, [...values, now])
  return new Set(rows.map(({ id }) => id))
}

/** A draft of a shipment: where it goes, what was estimated for it, and whether its own pickup time has passed. */
export interface DraftOrder {
  id: string
  row: number
  dropoffLat: number | null
  dropoffLng: number | null
  feeMinor: number | null
  isLate: boolean
}

/** The drafts of a shipment in the order of their rows. */
export async function draftsOf(
  { sql }: Sql,
  { id, merchantId }: Pick<Shipment, 'id' | 'merchantId'>,
): Promise<DraftOrder[]> {
  const { rows } = await sql<DraftOrder>(
    `SELECT id, shipment_row AS row, dropoff_lat AS "dropoffLat", dropoff_lng AS "dropoffLng", fee_minor AS "feeMinor",
            scheduled_pickup_at + $3 * interval '1 millisecond' <= app_now()
              AND unified_json -> 'standardized' ->> 'scheduled_pickup_at' IS NOT NULL AS "isLate"
       FROM orders WHERE shipment_id = $1 AND merchant_id = $2 AND status = 'draft' ORDER BY shipment_row`,
    [id, merchantId, PICKUP_SKEW_MS],
  )
  return rows
}

/** As the records of drafts begin. */
const DRAFT = '{"schema_version":"1","status":"draft",'
const CANCELLED = '{"schema_version":"1","status":"cancelled",'
const AT_ONCE = 500

/** Cancels a draft and its orders, of which nobody ever heard: no fact is announced. */
export async function cancelDraft(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  { id, merchantId }: Pick<Shipment, 'id' | 'merchantId'>,
  { reason, notes, actorType, actorId }: Cancellation,
): Promise<void> {
  const cancellation = { reason, notes, actor_type: actorType, actor_id: actorId, at: now.toISOString() }
  await sql(`UPDATE shipments SET status = 'cancelled', cancelled_at = $2 WHERE id = $1`, [id, now])
  for (;;) {
    // The text of a record stays as it came: only how it begins and ends is written anew.
    const { rowCount } = await sql(
      `UPDATE orders SET status = 'cancelled', cancelled_at = $3, terminal_at = $3, updated_at = $3,
              unified_json = ($4 || substr(unified_json::text, length($5) + 1, length(unified_json::text) - length($5) - 1)
                                 || ',"cancellation":' || $6 || '}')::json
        WHERE id IN (SELECT id FROM orders WHERE shipment_id = $1 AND merchant_id = $2 AND status = 'draft' LIMIT ${AT_ONCE})`,
      [id, merchantId, now, CANCELLED, DRAFT, JSON.stringify(cancellation)],
    )
    if (rowCount < AT_ONCE) return
  }
}
