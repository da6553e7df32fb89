import { type EntityManager, LockMode, type ObjectQuery, type QBFilterQuery } from '@mikro-orm/postgresql'
import { ServiceError } from '@svc/errors'
import { isUuid } from '@svc/inputs'
import type { Scope, Tx } from '@svc/outbox'
import type { Position } from '../domain/cursor.ts'
import { Order } from '../domain/order.ts'

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

/** The order that holds a natural key, if there is one. */
export async function findByNaturalKey(
  em: EntityManager,
  tenant: { merchantId: string; isTest: boolean },
  key: { source: string; externalOrderId: string },
): Promise<Order | null> {
  const { merchantId, isTest } = tenant
  return em.findOne(Order, { merchantId, isTest, source: key.source, externalOrderId: key.externalOrderId })
}

/** The order behind a tracking link, whoever's it is. */
export async function findByTrackingToken(em: EntityManager, trackingToken: string): Promise<Order | null> {
  return em.findOne(Order, { trackingToken })
}

function found(order: Order | null): Order {
  if (!order) throw new ServiceError('not_found')
  return order
}

export interface OrderFilter {
  merchantId?: string
  riderId?: string
  source?: string
  externalOrderId?: string
  isTest?: boolean
  status?: string
  paymentVerified?: boolean
}

export interface Page {
  limit: number
  offset: number
  /** Continue after this row instead of skipping `offset` rows. */
  after: Position | null
}

/** Totals are exact up to here; counting further would cost more than the page itself. */
export const TOTAL_LIMIT = 100_000

/** One page of the orders that match, newest first, and how many match in all (at most TOTAL_LIMIT). */
export async function listOrders(
  tx: Tx,
  scope: Scope,
  filter: OrderFilter,
  page: Page,
): Promise<{ orders: Order[]; total: number }> {
  const stated = Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== undefined),
  ) as ObjectQuery<Order>
  const matching: ObjectQuery<Order> = { $and: [within(scope), stated] }
  const { after, limit, offset } = page
  const beyond: ObjectQuery<Order> = after
    ? {
        $or: [{ createdAt: { $lt: after.createdAt } }, { createdAt: after.createdAt, id: { $lt: after.id } }],
        createdAt: { $lte: after.createdAt },
      }
    : {}
  const orders = await tx.em.find(
    Order,
    { $and: [matching, beyond] },
    {
      orderBy: { createdAt: 'desc', id: 'desc' },
      limit,
      offset: after ? 0 : offset,
      disableIdentityMap: true,
    },
  )
  return { orders, total: await cappedCount(tx, matching) }
}

async function cappedCount(tx: Tx, matching: ObjectQuery<Order>): Promise<number> {
  const capped = tx.em
    .createQueryBuilder(Order)
    .select('id')
    .where(matching as QBFilterQuery<Order>)
    .limit(TOTAL_LIMIT)
    .getFormattedQuery()
  const { rows } = await tx.sql<{ total: number }>(`SELECT count(*)::int AS total FROM (${capped}) AS capped`)
  return rows[0]?.total ?? 0
}
