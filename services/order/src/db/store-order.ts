import type { Idempotency } from '@svc/contracts/common/v1/common'
import type { Database } from '@svc/database'
import { ServiceError } from '@svc/errors'
import { eventIdOf, type Tx } from '@svc/outbox'
import { currentTraceparent } from '@svc/telemetry'
import type { Order } from '../domain/order.ts'
import { PICKUP_SKEW_MS } from '../domain/order-times.ts'

export interface NewRecord {
  order: Order
  /** Payload of order.created. */
  payload: Buffer
  /** What a replay of the key answers; null when it is the payload. */
  reply: Buffer | null
  idempotency: Idempotency | undefined
}

export interface Stored {
  outcome: 'created' | 'replayed' | 'idempotency_conflict' | 'taken' | 'stale'
  at: Date
  stored_reply: Buffer | null
}

/** Runs one statement with numbered parameters. */
export type Run = (text: string, values: unknown[]) => Promise<Stored[]>

/** As a statement of its own, prepared once per connection: one round trip, one transaction. */
export const alone =
  (pool: Database['app']): Run =>
  async (text, values) =>
    (await pool.query<Stored>({ name: 'create_order', text, values })).rows

/** As part of a transaction that does more. */
export const within =
  (tx: Tx): Run =>
  async (text, values) =>
    (await tx.sql<Stored>(text, values)).rows

export const CREATE_ORDER_ROUTE = 'createOrder'
const PARAMETERS = 25
const CREATE_ORDER = `SELECT * FROM create_order(${Array.from({ length: PARAMETERS }, (_, index) => `$${index + 1}`).join(', ')})`
const LOCK_NOT_AVAILABLE = '55P03'

/** Stores an order, its fact and its idempotent reply together, or says why nothing was stored. */
export async function storeOrder(run: Run, record: NewRecord): Promise<Stored> {
  try {
    const [stored] = await run(CREATE_ORDER, parameters(record))
    return stored as Stored
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
    throw new ServiceError(record.idempotency ? 'idempotency_in_progress' : 'service_unavailable', {
      retryAfterSeconds: 1,
      cause: error,
    })
  }
}

function parameters({ order, payload, reply, idempotency }: NewRecord): unknown[] {
  const traceparent = currentTraceparent()
  return [
    order.id,
    order.merchantId,
    order.isTest,
    order.source,
    order.externalOrderId,
    order.unifiedJson,
    order.pickupLat,
    order.pickupLng,
    order.dropoffLat,
    order.dropoffLng,
    order.scheduledPickupAt,
    order.deliveryWindowStart,
    order.deliveryWindowEnd,
    order.vehicleTypeHint,
    order.vehicleTypeSource,
    order.trackingToken,
    order.requestFingerprint,
    new Date(order.scheduledPickupAt.getTime() + PICKUP_SKEW_MS),
    eventIdOf(order.id, 'order.created', 1),
    JSON.stringify(traceparent ? { traceparent } : {}),
    payload,
    CREATE_ORDER_ROUTE,
    idempotency?.key ?? null,
    idempotency?.request_hash ?? null,
    reply,
  ]
}
