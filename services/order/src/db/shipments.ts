import { boundedCount, type Scope } from '@svc/database'
import { ServiceError } from '@svc/errors'
import { isUuid } from '@svc/inputs'
import type { Reads, Tx } from '@svc/transact'
import type { Shipment, ShipmentStatus } from '../domain/shipment.ts'
import { column } from './functions/create-order.sql.ts'

type Sql = Pick<Tx, 'sql'>

/** The columns of a shipment, and how a statement answers them. */
export const SHIPMENT_COLUMNS: ReadonlyArray<keyof Shipment> = [
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
export const SHIPMENT_ROW = SHIPMENT_COLUMNS.map((field) => `s.${column(field)} AS "${field}"`).join(', ')

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
  const text = `SELECT ${SHIPMENT_ROW} FROM shipments s WHERE ${where} AND s.id = $${params.length + 1} ${locking}`
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
  const matching = `shipments s WHERE ${where}${status === undefined ? '' : ` AND s.status = $${all.length}`}`
  const page = `ORDER BY s.created_at DESC, s.id DESC LIMIT $${all.length + 1} OFFSET $${all.length + 2}`
  const [shipments, counted] = await reads.together(scope, [
    { text: `SELECT ${SHIPMENT_ROW} FROM ${matching} ${page}`, params: [...all, limit, offset], planned: 'each time' },
    { text: boundedCount(matching), params: all, planned: 'each time' },
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

/** One more hold is asked of the wallet; answers which it is. */
export async function countHold({ sql }: Sql, id: string): Promise<number> {
  const { rows } = await sql<{ attempt: number }>(
    'UPDATE shipments SET hold_attempts = hold_attempts + 1 WHERE id = $1 RETURNING hold_attempts AS attempt',
    [id],
  )
  return rows[0]!.attempt
}

/** Whether the intent may still submit its shipment, is to be given up, or has ended; it stays so until the transaction ends. */
export async function standingOfHold({ sql }: Sql, intentId: string): Promise<'wanted' | 'given up' | 'ended'> {
  const { rows } = await sql<{ standing: 'wanted' | 'given up' | 'ended' }>(
    `SELECT CASE WHEN state NOT IN ('pending', 'aborting') THEN 'ended'
                 WHEN state = 'pending' AND (payload ->> 'until')::timestamptz > app_now() THEN 'wanted'
                 ELSE 'given up' END AS standing
       FROM intent WHERE id = $1 FOR UPDATE`,
    [intentId],
  )
  return rows[0]?.standing ?? 'ended'
}

/** The sum is held: its orders are begun from now on. */
export async function markSubmitted(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  { id, holdMinor, defaultPickupAt }: { id: string; holdMinor: number; defaultPickupAt: Date },
): Promise<void> {
  await sql(
    `UPDATE shipments SET status = 'submitted', submitted_at = $2, hold_minor = $3, default_pickup_at = $4
      WHERE id = $1 AND status = 'draft'`,
    [id, now, holdMinor, defaultPickupAt],
  )
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
