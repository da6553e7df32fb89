import { type EntityManager, LockMode, type ObjectQuery } from '@mikro-orm/postgresql'
import type { Database } from '@svc/database'
import { ServiceError } from '@svc/errors'
import { isUuid } from '@svc/inputs'
import type { Scope } from '@svc/transact'
import type { IngestedKey } from '../domain/ingested.ts'
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

/** The orders under a third party's key, the live one first; at most one of each environment. */
export async function findIngested(
  em: EntityManager,
  { merchantId, isTest, source, externalOrderId }: IngestedKey,
): Promise<Order[]> {
  return em.find(Order, { ...within({ merchantId, isTest }), source, externalOrderId }, { orderBy: { isTest: 'asc' } })
}

function ofRider(order: Order, rider: RiderIdentity): Order {
  if (!isRidersOrder(order, rider)) throw new ServiceError('not_found')
  return order
}

function found(order: Order | null): Order {
  if (!order) throw new ServiceError('not_found')
  return order
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
