import type { Idempotency } from '@svc/contracts/common/v1/common'
import type { Order as OrderMessage } from '@svc/contracts/order/v1/order'
import { batched, type Database } from '@svc/database'
import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { currentTraceparent } from '@svc/telemetry'
import { eventIdOf, type Tx } from '@svc/transact'
import { DatabaseError } from 'pg'
import type { Pin } from '../domain/address-memory.ts'
import type { NewOrder } from '../domain/new-order.ts'
import { PICKUP_SKEW_MS } from '../domain/order-times.ts'
import { CREATE_ORDER_PARAMETERS, createOrderArguments } from './functions/create-order.sql.ts'

/** What the intent of an order that is for a rider from the start keeps: the rider, and who says so. */
export interface AssignIntent {
  riderId: string
  actor: Caller['actor']
  actingFor?: string | undefined
}

export interface NewRecord {
  order: NewOrder
  /** As other processes see it, but for its times. */
  message: OrderMessage
  /** Payload of order.created. */
  payload: Buffer
  /** What a replay of the key answers; null when it is the payload. */
  reply: Buffer | null
  idempotency: Idempotency | undefined
  /** Left as an intent when the order is for a rider from the start. */
  assignment: AssignIntent | null
  /** By what its phone and address are remembered. */
  addressKey: Buffer | null
}

export interface Stored {
  outcome: 'created' | 'replayed' | 'idempotency_conflict' | 'taken' | 'stale'
  at: Date
  stored_reply: Buffer | null
  /** Of an order that was created: what is remembered of its phone and address. */
  pin: Pin | null
}

/** Calls create_order() with these arguments. */
export type Run = (values: readonly unknown[]) => Promise<Stored>

export const CREATE_ORDER_ROUTE = 'createOrder'
const MAX_TOGETHER = 32
/** A call that must wait for a lock holds up the others no longer; after that each waits by itself. */
const SHARED_LOCK_MS = 50
const LOCK_NOT_AVAILABLE = '55P03'

const NAMES = CREATE_ORDER_PARAMETERS.map(([name]) => name)
/** Those of create_order(), and the key of what is remembered of the address. */
const PARAMETERS = NAMES.length + 1

/**
 * The nth call in a statement, and the pin of what it created. The pin is read after the call has set the tenant: the outer
 * side of a nested loop comes first.
 */
function callOf(n: number): string {
  const slot = (index: number) => `$${n * PARAMETERS + index + 1}`
  const of = (name: string) => slot(NAMES.indexOf(name))
  return `c.outcome, c.at, c.stored_reply, p.pin
    FROM create_order(${NAMES.map((_, index) => slot(index)).join(', ')}) c
    LEFT JOIN LATERAL (
      SELECT jsonb_build_object('lat', lat, 'lng', lng, 'proofs', proofs) AS pin FROM address_pins
       WHERE merchant_id = ${of('p_merchant_id')} AND is_test = ${of('p_is_test')} AND key = ${slot(NAMES.length)}::bytea
         AND c.outcome = 'created') p ON true`
}
const CREATE_ORDER = `SELECT ${callOf(0)}`

const CREATE_ORDERS = Array.from({ length: MAX_TOGETHER + 1 }, (_, count) =>
  [
    `SELECT 0 AS nth, NULL AS outcome, NULL::timestamptz AS at, NULL::bytea AS stored_reply, NULL::jsonb AS pin
      WHERE set_config('lock_timeout', '${SHARED_LOCK_MS}ms', true) IS NULL`,
    ...Array.from({ length: count }, (_each, n) => `SELECT ${n}, ${callOf(n)}`),
  ].join(' UNION ALL '),
)

/**
 * As a transaction that calls share: one round trip, one statement, prepared once per connection. A call that finds none
 * under way goes at once. What is wrong with one call never fails another.
 */
export function shared(pool: Database['app']): Run {
  return batched<readonly unknown[], Stored>({
    limit: MAX_TOGETHER,
    async alone(values) {
      const { rows } = await pool.query<Stored>({ name: 'create_order', text: CREATE_ORDER, values: [...values] })
      return rows[0] as Stored
    },
    async together(calls) {
      const count = calls.length
      const query = { name: `create_order_${count}`, text: CREATE_ORDERS[count] as string, values: calls.flat() }
      const { rows } = await pool.query<Stored & { nth: number }>(query)
      return rows.toSorted((a, b) => a.nth - b.nth)
    },
    // What the server itself refuses it has rolled back.
    isUndone: (error) => error instanceof DatabaseError,
  })
}

/** As part of a transaction that does more. */
export const within =
  (tx: Tx): Run =>
  async (values) => {
    const { rows } = await tx.sql<Stored>(CREATE_ORDER, [...values])
    return rows[0] as Stored
  }

/** Stores an order, its fact and its idempotent reply together, or says why nothing was stored. */
export async function storeOrder(run: Run, record: NewRecord): Promise<Stored> {
  try {
    return await run(parameters(record))
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
    throw new ServiceError(record.idempotency ? 'idempotency_in_progress' : 'service_unavailable', {
      retryAfterSeconds: 1,
      cause: error,
    })
  }
}

function parameters({ order, payload, reply, idempotency, assignment, addressKey }: NewRecord): unknown[] {
  const traceparent = currentTraceparent()
  const values = createOrderArguments(order, {
    validUntil: new Date(order.scheduledPickupAt.getTime() + PICKUP_SKEW_MS),
    eventId: eventIdOf(order.id, 'order.created', 1),
    headers: JSON.stringify(traceparent ? { traceparent } : {}),
    payload,
    route: CREATE_ORDER_ROUTE,
    key: idempotency?.key ?? null,
    requestHash: idempotency?.request_hash ?? null,
    reply,
    rider: assignment && JSON.stringify(assignment),
  })
  return [...values, addressKey]
}
