import {
  type EntityDictionary,
  type EntityManager,
  LockMode,
  type ObjectQuery,
  type QBFilterQuery,
} from '@mikro-orm/postgresql'
import type { Database } from '@svc/database'
import { ServiceError } from '@svc/errors'
import { isUuid } from '@svc/inputs'
import type { OrmTx, Scope } from '@svc/transact'
import { decodeCursor, encodeCursor } from '../domain/cursor.ts'
import { Order } from '../domain/order.ts'
import { isRidersOrder, type RiderIdentity } from '../domain/rider-reach.ts'
import type { WriteTenant } from '../domain/tenant.ts'

/** The rows that a scope may see: one merchant's, of one environment or both; or every tenant's. */
function within(scope: Scope): ObjectQuery<Order> {
  if (scope === 'every tenant') return {}
  const { merchantId, isTest } = scope
  return isTest === null ? { merchantId } : { merchantId, isTest }
}

/** The order, locked until the transaction ends; not_found for unknown ids and for those of others alike. */
export async function lockOrder(em: EntityManager, scope: Scope, id: string): Promise<Order> {
  return found(
    isUuid(id)
      ? await em.findOne(Order, { $and: [{ id }, within(scope)] }, { lockMode: LockMode.PESSIMISTIC_WRITE })
      : null,
  )
}

/** The order; not_found for unknown ids and for those of others alike. */
export async function findOrder(em: EntityManager, scope: Scope, id: string): Promise<Order> {
  return found(isUuid(id) ? await em.findOne(Order, { $and: [{ id }, within(scope)] }) : null)
}

/** An order of the rider, locked; not_found for unknown orders and for those of others alike. */
export async function lockRiderOrder(
  em: EntityManager,
  scope: Scope,
  rider: RiderIdentity,
  id: string,
): Promise<Order> {
  return ofRider(await lockOrder(em, scope, id), rider)
}

/** An order of the rider; not_found for unknown orders and for those of others alike. */
export async function findRiderOrder(
  em: EntityManager,
  scope: Scope,
  rider: RiderIdentity,
  id: string,
): Promise<Order> {
  return ofRider(await findOrder(em, scope, id), rider)
}

/** The order that holds a natural key, if there is one. */
export async function findByNaturalKey(
  em: EntityManager,
  { merchantId, isTest }: WriteTenant,
  key: { source: string; externalOrderId: string },
): Promise<Order | null> {
  return em.findOne(Order, { merchantId, isTest, source: key.source, externalOrderId: key.externalOrderId })
}

/** The order behind a tracking link, of any merchant. */
export async function findByTrackingToken(em: EntityManager, trackingToken: string): Promise<Order | null> {
  return em.findOne(Order, { trackingToken })
}

function ofRider(order: Order, rider: RiderIdentity): Order {
  if (!isRidersOrder(order, rider)) throw new ServiceError('not_found')
  return order
}

function found(order: Order | null): Order {
  if (!order) throw new ServiceError('not_found')
  return order
}

export interface OrderFilter {
  merchantId?: string | undefined
  riderId?: string | undefined
  source?: string | undefined
  externalOrderId?: string | undefined
  isTest?: boolean | undefined
  status?: string | undefined
  paymentVerified?: boolean | undefined
}

export interface Page {
  limit: number
  offset: number
  /** Where an earlier page ended: continue there instead of skipping `offset` rows. */
  cursor?: string | undefined
}

export interface PageOfOrders {
  orders: Order[]
  /** How many match in all, at most TOTAL_LIMIT. */
  total: number
  limit: number
  offset: number
  nextCursor: string | undefined
}

/** Totals are exact up to here; counting further would cost more than the page itself. */
export const TOTAL_LIMIT = 100_000

/** One page of the orders that match every stated filter, newest first; a row is at most 128 KiB. */
export async function pageOfOrders(tx: OrmTx, scope: Scope, filter: OrderFilter, page: Page): Promise<PageOfOrders> {
  const { limit, offset, cursor } = page
  const after = cursor ? decodeCursor(cursor) : null
  const stated = Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== undefined),
  ) as ObjectQuery<Order>
  const matching: ObjectQuery<Order> = { $and: [within(scope), stated] }
  const beyond: ObjectQuery<Order> = after
    ? {
        $or: [{ createdAt: { $lt: after.createdAt } }, { createdAt: after.createdAt, id: { $lt: after.id } }],
        createdAt: { $lte: after.createdAt },
      }
    : {}
  const found = tx.em
    .createQueryBuilder(Order)
    .select('id')
    .where({ $and: [matching, beyond] } as QBFilterQuery<Order>)
    .orderBy({ createdAt: 'desc', id: 'desc' })
    .limit(limit)
    .offset(after ? 0 : offset)
    .getFormattedQuery()
  const orders = await readListed(tx, found)
  const last = orders.length === limit ? orders.at(-1) : undefined
  const total = await cappedCount(tx, matching)
  return { orders, total, limit, offset, nextCursor: last && encodeCursor(last) }
}

/** The orders whose ids a query finds, newest first, with their records cut; they are not to be changed. */
async function readListed(tx: OrmTx, found: string): Promise<Order[]> {
  const columns = Object.values(tx.em.getMetadata(Order).properties).flatMap(({ fieldNames }) => fieldNames)
  const read = columns.map((name) =>
    name === 'unified_json' ? 'listed_record(o.unified_json) AS unified_json' : `o.${name}`,
  )
  const { rows } = await tx.sql<Record<string, unknown>>(
    `SELECT ${read.join(', ')} FROM orders o WHERE o.id IN (${found}) ORDER BY o.created_at DESC, o.id DESC`,
  )
  const em = tx.em.fork()
  return rows.map((row) => em.map(Order, row as EntityDictionary<Order>))
}

async function cappedCount(tx: OrmTx, matching: ObjectQuery<Order>): Promise<number> {
  const capped = tx.em
    .createQueryBuilder(Order)
    .select('id')
    .where(matching as QBFilterQuery<Order>)
    .limit(TOTAL_LIMIT)
    .getFormattedQuery()
  const { rows } = await tx.sql<{ total: number }>(`SELECT count(*)::int AS total FROM (${capped}) AS capped`)
  return rows[0]?.total ?? 0
}

/** Deletes test orders older than that, the oldest first and no more than `limit`; answers how many. */
export async function deleteTestOrders(
  { worker }: Pick<Database, 'worker'>,
  olderThanDays: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await worker.query(
    `DELETE FROM orders WHERE id = ANY(ARRAY(
       SELECT id FROM orders WHERE is_test AND created_at < (SELECT app_now()) - make_interval(days => $1)
        ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    [olderThanDays, limit],
  )
  return rowCount ?? 0
}
