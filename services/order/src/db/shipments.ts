import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import type { Scope } from '@svc/database'
import { ServiceError } from '@svc/errors'
import { isUuid } from '@svc/inputs'
import type { Expiry } from '@svc/lifecycle'
import type { Reads, Tx } from '@svc/transact'
import { type Cancellation, Order } from '../domain/order.ts'
import { PICKUP_SKEW_MS } from '../domain/order-times.ts'
import type { Shipment, ShipmentStatus } from '../domain/shipment.ts'
import type { WriteTenant } from '../domain/tenant.ts'
import { column, FIELDS, OF_A_SHIPMENT, STORED } from './functions/create-order.sql.ts'

type Sql = Pick<Tx, 'sql'>

const COLUMNS: ReadonlyArray<keyof Shipment> = [
  'id',
  'merchantId',
  'isTest',
  'source',
  'status',
  'totalOrders',
  'estimatedFeeMinor',
  'currency',
  'pickupAddress',
  'pickupLat',
  'pickupLng',
  'rateCardId',
  'rateCardName',
  'holdAttempts',
  'holdMinor',
  'defaultPickupAt',
  'begunAt',
  'createdAt',
  'submittedAt',
  'completedAt',
  'cancelledAt',
]
const ROW = COLUMNS.map((field) => `s.${column(field)} AS "${field}"`).join(', ')

/** The shipments that a scope may see, as a condition on `s`; its parameters come first. */
function within(scope: Scope): { where: string; params: unknown[] } {
  if (scope === 'every tenant') return { where: 'true', params: [] }
  const { merchantId, isTest } = scope
  return isTest === null
    ? { where: 's.merchant_id = $1', params: [merchantId] }
    : { where: 's.merchant_id = $1 AND s.is_test = $2', params: [merchantId, isTest] }
}

/** The shipment; not_found for unknown ids and for those of others alike. */
export const findShipment = (sql: Sql, scope: Scope, id: string): Promise<Shipment> => one(sql, scope, id, '')

/** The same, locked until the transaction ends. */
export const lockShipment = (tx: Sql, scope: Scope, id: string): Promise<Shipment> => one(tx, scope, id, 'FOR UPDATE')

async function one({ sql }: Sql, scope: Scope, id: string, locking: string): Promise<Shipment> {
  const { where, params } = within(scope)
  if (!isUuid(id)) throw new ServiceError('not_found')
  const text = `SELECT ${ROW} FROM shipments s WHERE ${where} AND s.id = $${params.length + 1} ${locking}`
  const { rows } = await sql<Shipment>(text, [...params, id])
  if (!rows[0]) throw new ServiceError('not_found')
  return rows[0]
}

/** One page of the shipments within the scope, newest first, and how many there are. */
export async function pageOfShipments(
  reads: Reads,
  scope: Scope,
  { limit, offset, status }: { limit: number; offset: number; status?: ShipmentStatus | undefined },
): Promise<{ shipments: Shipment[]; total: number }> {
  const { where, params } = within(scope)
  const all = status === undefined ? params : [...params, status]
  const matching = `FROM shipments s WHERE ${where}${status === undefined ? '' : ` AND s.status = $${all.length}`}`
  const page = `ORDER BY s.created_at DESC, s.id DESC LIMIT $${all.length + 1} OFFSET $${all.length + 2}`
  const [shipments, counted] = await reads.together(scope, [
    { text: `SELECT ${ROW} ${matching} ${page}`, params: [...all, limit, offset], planned: 'each time' },
    { text: `SELECT count(*)::int AS total ${matching}`, params: all, planned: 'each time' },
  ])
  return { shipments: shipments as Shipment[], total: (counted?.[0] as { total: number } | undefined)?.total ?? 0 }
}

/** How many orders of the shipment have which status. */
export async function countByStatus(
  { sql }: Sql,
  { id, merchantId }: Pick<Shipment, 'id' | 'merchantId'>,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ status: string; count: number }>(
    'SELECT status, count(*)::int AS count FROM orders WHERE shipment_id = $1 AND merchant_id = $2 GROUP BY status',
    [id, merchantId],
  )
  return new Map(rows.map(({ status, count }) => [status, count]))
}

/** Keeps a draft. */
export async function insertShipment({ sql }: Sql, shipment: Shipment): Promise<void> {
  const names = COLUMNS.map((field) => column(field)).join(', ')
  const slots = COLUMNS.map((_, nth) => `$${nth + 1}`).join(', ')
  await sql(
    `INSERT INTO shipments (${names}) VALUES (${slots})`,
    COLUMNS.map((field) => shipment[field]),
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
  drafts: readonly Order[],
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

/** One more hold is asked of the wallet; answers which it is. */
export async function countHold({ sql }: Sql, id: string): Promise<number> {
  const { rows } = await sql<{ attempt: number }>(
    'UPDATE shipments SET hold_attempts = hold_attempts + 1 WHERE id = $1 RETURNING hold_attempts AS attempt',
    [id],
  )
  return rows[0]!.attempt
}

/** The sum is held: its orders are begun from now on. */
export async function markSubmitted(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  { id, holdMinor, defaultPickupAt }: { id: string; holdMinor: number; defaultPickupAt: Date },
): Promise<void> {
  await sql(
    `UPDATE shipments SET status = 'submitted', submitted_at = $2, turn_at = $2, hold_minor = $3, default_pickup_at = $4
      WHERE id = $1 AND status = 'draft'`,
    [id, now, holdMinor, defaultPickupAt],
  )
}

/** The shipment whose turn it is to have orders begun, locked; null where none has any left, or others are at it. */
export async function claimToBegin({ sql, now }: Pick<Tx, 'sql' | 'now'>): Promise<Shipment | null> {
  const { rows } = await sql<Shipment>(
    `UPDATE shipments s SET turn_at = $1 WHERE id = (
       SELECT id FROM shipments WHERE submitted_at IS NOT NULL AND begun_at IS NULL
        ORDER BY turn_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING ${ROW}`,
    [now],
  )
  return rows[0] ?? null
}

/** The next drafts of a shipment, locked. */
export const nextDrafts = (em: EntityManager, shipmentId: string, limit: number): Promise<Order[]> =>
  em.find(
    Order,
    { shipmentId, status: 'draft' },
    { orderBy: { shipmentRow: 'asc' }, limit, lockMode: LockMode.PESSIMISTIC_WRITE },
  )

/** All of its orders have been begun. */
export async function markBegun({ sql, now }: Pick<Tx, 'sql' | 'now'>, id: string): Promise<void> {
  await sql('UPDATE shipments SET begun_at = $2 WHERE id = $1 AND begun_at IS NULL', [id, now])
}

/** The first of its orders is with a rider. */
export async function markDispatching({ sql }: Sql, id: string): Promise<void> {
  await sql(`UPDATE shipments SET status = 'dispatching' WHERE id = $1 AND status = 'submitted'`, [id])
}

/** Completes the shipment if all of its orders were begun and have ended; false where some have not, or it was before. */
export async function completeIfOver({ sql, now }: Pick<Tx, 'sql' | 'now'>, id: string): Promise<boolean> {
  const { rowCount } = await sql(
    `UPDATE shipments SET status = 'completed', completed_at = $2
      WHERE id = $1 AND status IN ('submitted', 'dispatching') AND begun_at IS NOT NULL
        AND NOT EXISTS (SELECT FROM orders WHERE shipment_id = $1 AND terminal_at IS NULL)`,
    [id, now],
  )
  return rowCount === 1
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

/** Rows of which no shipment was made. */
export const expiries: readonly Expiry[] = [{ table: 'shipment_rows', age: 'created_at', keep: "interval '1 hour'" }]

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

/** Test shipments past their time whose orders are gone; answers those that had not ended, of which something may be held. */
export async function deleteTestShipments(
  { sql }: Sql,
  olderThanDays: number,
  limit: number,
): Promise<{ count: number; unended: Array<{ id: string; merchantId: string }> }> {
  const { rows } = await sql<{ id: string; merchantId: string; status: ShipmentStatus; holdAttempts: number }>(
    `DELETE FROM shipments WHERE id = ANY(ARRAY(
       SELECT s.id FROM shipments s WHERE s.is_test AND s.created_at < (SELECT app_now()) - make_interval(days => $1)
          AND NOT EXISTS (SELECT FROM orders o WHERE o.shipment_id = s.id)
        ORDER BY s.created_at LIMIT $2 FOR UPDATE SKIP LOCKED))
     RETURNING id, merchant_id AS "merchantId", status, hold_attempts AS "holdAttempts"`,
    [olderThanDays, limit],
  )
  return {
    count: rows.length,
    // Of a draft the answer to a hold may have been lost.
    unended: rows.filter(
      ({ status, holdAttempts }) =>
        status === 'submitted' || status === 'dispatching' || (status === 'draft' && holdAttempts > 0),
    ),
  }
}
