import { createHash, randomUUID } from 'node:crypto'
import { type CommitAssignmentRequest, FulfilmentServiceService } from '@svc/contracts/order/v1/fulfilment_service'
import { IntakeServiceService } from '@svc/contracts/order/v1/intake_service'
import { OrderFact } from '@svc/contracts/order/v1/order'
import { type CreateOrderRequest, OrderServiceService } from '@svc/contracts/order/v1/order_service'
import { ShipmentServiceService } from '@svc/contracts/order/v1/shipment_service'
import { SimulatorServiceService } from '@svc/contracts/order/v1/simulator_service'
import { type Caller, systemCaller } from '@svc/grpc'
import type { Running } from '@svc/service'
import { surroundingsOf, testClient } from '@svc/testing'
import pg from 'pg'
import { type Config, readConfig } from '../src/config.ts'
import type { Context } from '../src/context.ts'
import { order as orderDefinition } from '../src/service.ts'

export interface OutboxRow {
  event_id: string
  aggregate_version: number
  type: string
  payload: Buffer
  created_at: Date
  published_at: Date | null
  merchant_id: string
}

/** What an order service is told beyond what each service under test has. */
const SETTINGS = { BILLING_ENFORCEMENT: 'true', TRACKING_BASE_URL: 'https://track.example.com/t' }

/** A database, topics and an environment for an order service, however it is started. */
export const orderSurroundings = (settings: Record<string, string> = {}) =>
  surroundingsOf(orderDefinition, { settings: { ...SETTINGS, ...settings } })

/** Clients of the service at an address. */
export function clientsOf(address: string) {
  const options = { address, to: 'order' }
  const orders = testClient(OrderServiceService, options)
  const simulator = testClient(SimulatorServiceService, options)
  const fulfilment = testClient(FulfilmentServiceService, options)
  const intake = testClient(IntakeServiceService, options)
  const shipments = testClient(ShipmentServiceService, options)
  return {
    orders: (caller: Caller) => orders.as(caller),
    simulator: (caller: Caller) => simulator.as(caller),
    shipments: (caller: Caller) => shipments.as(caller, { deadlineMs: 60_000 }),
    /** As dispatch calls, unless a rider is given. */
    fulfilment: (caller: Caller = systemCaller('dispatch')) => fulfilment.as(caller),
    /** As ingestion calls. */
    intake: (caller: Caller = systemCaller('ingestion')) => intake.as(caller),
    close() {
      for (const client of [orders, simulator, fulfilment, intake, shipments]) client.close()
    },
  }
}

/** An order service of its own behind gRPC, and a look past row security at what it stored. */
export async function orderMesh(settings: Record<string, string> = {}, overrides: Partial<Context> = {}) {
  const { database, env: environment, release } = await orderSurroundings(settings)
  const inspect = new pg.Pool({ connectionString: database.inspectUrl, max: 2 })
  // Dropping the database may end a connection that is just saying goodbye.
  inspect.on('error', () => {})
  const config = readConfig(environment)
  const start = async (changes: Partial<Config> = {}, more: Partial<Context> = {}): Promise<Running<Context>> => {
    const service = await orderDefinition.create({ ...config, ...changes }, { ...overrides, ...more })
    await service.start()
    return service
  }
  const service = await start()
  const clients = clientsOf(service.address())

  return {
    ...clients,
    config,
    database,
    environment,
    service,
    start,
    async rows<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
      return (await inspect.query<Row>(sql, values)).rows
    },
    /** The facts of an order as they stand in the outbox, oldest first. */
    async facts(orderId: string) {
      const { rows } = await inspect.query<OutboxRow>('SELECT * FROM outbox WHERE aggregate_id = $1 ORDER BY seq', [
        orderId,
      ])
      return rows.map((row) => ({ ...row, fact: OrderFact.decode(row.payload) }))
    },
    async stop() {
      clients.close()
      await service.stop()
      await inspect.end()
      await release()
    },
  }
}

export type OrderMesh = Awaited<ReturnType<typeof orderMesh>>

const HOUR_MS = 3_600_000
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString()

/** A standardized record that every rule accepts. */
export const standardized = (changes: Record<string, unknown> = {}) => ({
  pickup_address: '1 Marina Road, Lagos',
  dropoff_address: '22 Broad Street, Lagos',
  customer_phone: '08031234567',
  customer_name: 'Ada',
  scheduled_pickup_at: inHours(1),
  delivery_window_start: inHours(1),
  delivery_window_end: inHours(3),
  ...changes,
})

/** A creation request that every rule accepts, of an order of its own. */
export function creation(
  changes: Partial<CreateOrderRequest> = {},
  record: Record<string, unknown> = {},
): CreateOrderRequest {
  return {
    source: 'api',
    external_order_id: randomUUID(),
    raw_payload_json: '{}',
    standardized_json: JSON.stringify(standardized(record)),
    ...changes,
  }
}

/** A rider as dispatch brings it to an order. */
export const summary = (id: string = randomUUID()) => ({
  id,
  name: 'Bola Ade',
  phone: '+2348031112222',
  vehicle_type: 'car',
})

/** What dispatch asks for when a rider has accepted an offer. */
export const acceptance = (orderId: string, rider = summary(), changes: Partial<CommitAssignmentRequest> = {}) => ({
  order_id: orderId,
  rider,
  op_key: `offer:${randomUUID()}`,
  expected_assignment_version: 0,
  accept: true,
  actor_type: 'rider',
  actor_id: rider.id,
  ...changes,
})

/** What the gateway makes of an Idempotency-Key and the body that came with it. */
export const keyed = (key: string, request: CreateOrderRequest) => ({
  ...request,
  idempotency: { key, request_hash: createHash('sha256').update(JSON.stringify(request)).digest() },
})

/** A page request without filters. */
export const page = (limit = 0, offset = 0) => ({ limit, offset })
