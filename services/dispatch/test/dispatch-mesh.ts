import { randomBytes } from 'node:crypto'
import { AssignmentServiceService } from '@svc/contracts/dispatch/v1/assignment_service'
import { PlaceServiceService } from '@svc/contracts/dispatch/v1/place_service'
import { PositionServiceService } from '@svc/contracts/dispatch/v1/position_service'
import { PricingServiceService } from '@svc/contracts/dispatch/v1/pricing_service'
import { ProofServiceService } from '@svc/contracts/dispatch/v1/proof_service'
import { FleetServiceService, RiderServiceService } from '@svc/contracts/dispatch/v1/rider_service'
import { FulfilmentServiceService } from '@svc/contracts/order/v1/fulfilment_service'
import { OrderServiceService } from '@svc/contracts/order/v1/order_service'
import type { Caller, ServiceDefinition } from '@svc/grpc'
import { freePort } from '@svc/servers'
import type { Running } from '@svc/service'
import { TEST_SECRET, testClient, testDatabase, testServers } from '@svc/testing'
import pg from 'pg'
import { startAdmin } from '../../admin/test/start-admin.ts'
import { readConfig as readOrderConfig } from '../../order/src/config.ts'
import { migrations as orderMigrations } from '../../order/src/db/migrations/index.ts'
import { order as orderDefinition } from '../../order/src/service.ts'
import { readConfig } from '../src/config.ts'
import type { Context } from '../src/context.ts'
import { migrations } from '../src/db/migrations/index.ts'
import { dispatch as dispatchDefinition } from '../src/service.ts'

/** Both on their way: the inspector's connections end when a database is dropped under them. */
function inspector(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 2 })
  pool.on('error', () => {})
  return pool
}

/**
 * The dispatch service behind gRPC with the real admin and order services, on databases and topics of its own. A wallet is
 * dispatch's alone: orders are created whatever their merchants have.
 */
export async function dispatchMesh(
  settings: Record<string, string> = {},
  overrides: Partial<Context> = {},
  wallet?: { address: string },
) {
  const [servers, database, orderDatabase, grpcPort] = await Promise.all([
    testServers(),
    testDatabase('dispatch', migrations, ['postgis']),
    testDatabase('order', orderMigrations),
    freePort(),
  ])
  const admin = await startAdmin()
  const shared = {
    KAFKA_BROKERS: servers.kafkaBrokers.join(','),
    TOPIC_PREFIX: admin.env.TOPIC_PREFIX as string,
    REDIS_URL: servers.redisUrl,
    REDIS_PREFIX: admin.env.REDIS_PREFIX as string,
  }
  const orderService = await orderDefinition.create(
    readOrderConfig({
      ...shared,
      ORDER_DATABASE_URL: orderDatabase.url,
      ORDER_WORKER_URL: orderDatabase.workerUrl,
      CALLER_SECRET_GATEWAY_ORDER: TEST_SECRET,
      CALLER_SECRET_DISPATCH_ORDER: TEST_SECRET,
      CALLER_SECRET_ORDER_DISPATCH: TEST_SECRET,
      DISPATCH_GRPC_ADDRESS: `127.0.0.1:${grpcPort}`,
      WALLET_GRPC_ADDRESS: 'none',
      BILLING_ENFORCEMENT: 'false',
      INSTANCE: 'order-under-test',
      ...settings,
    }),
  )
  await orderService.start()
  const environment: Record<string, string> = {
    ...shared,
    DISPATCH_DATABASE_URL: database.url,
    DISPATCH_WORKER_URL: database.workerUrl,
    GRPC_PORT: String(grpcPort),
    ORDER_GRPC_ADDRESS: orderService.address(),
    ADMIN_GRPC_ADDRESS: admin.service.address(),
    CALLER_SECRET_GATEWAY_DISPATCH: TEST_SECRET,
    CALLER_SECRET_ORDER_DISPATCH: TEST_SECRET,
    CALLER_SECRET_DISPATCH_ORDER: TEST_SECRET,
    CALLER_SECRET_DISPATCH_ADMIN: TEST_SECRET,
    OTP_PEPPER: randomBytes(32).toString('base64'),
    SOS_PHONES: 'none',
    WALLET_GRPC_ADDRESS: wallet?.address ?? 'none',
    MESSAGING_API_URL: 'none',
    BILLING_ENFORCEMENT: 'false',
    CALLER_SECRET_DISPATCH_WALLET: TEST_SECRET,
    INSTANCE: 'dispatch-under-test',
    ...settings,
  }
  const start = async (
    changes: Record<string, string> = {},
    overrides: Partial<Context> = {},
  ): Promise<Running<Context>> => {
    const service = await dispatchDefinition.create(readConfig({ ...environment, ...changes }), overrides)
    await service.start()
    return service
  }
  const service = await start({}, overrides)
  const worker = inspector(database.workerUrl)
  const orderWorker = inspector(orderDatabase.workerUrl)
  const opened: Array<{ close(): void }> = []
  const client = <D extends ServiceDefinition>(definition: D, to: 'dispatch' | 'order', address: string) => {
    const opening = testClient(definition, { address, to })
    opened.push(opening)
    return (caller: Caller) => opening.as(caller, { deadlineMs: 15_000 })
  }

  return {
    admin,
    database,
    orderDatabase,
    environment,
    service,
    /** Another replica, on a port of its own: give GRPC_PORT and INSTANCE. */
    start,
    riders: client(RiderServiceService, 'dispatch', service.address()),
    fleet: client(FleetServiceService, 'dispatch', service.address()),
    places: client(PlaceServiceService, 'dispatch', service.address()),
    pricing: client(PricingServiceService, 'dispatch', service.address()),
    positions: client(PositionServiceService, 'dispatch', service.address()),
    assignments: client(AssignmentServiceService, 'dispatch', service.address()),
    proof: client(ProofServiceService, 'dispatch', service.address()),
    orders: client(OrderServiceService, 'order', orderService.address()),
    fulfilment: client(FulfilmentServiceService, 'order', orderService.address()),
    /** As the worker role, past the tenant wall. */
    async sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
      return (await worker.query<Row>(text, values)).rows
    },
    async orderSql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
      return (await orderWorker.query<Row>(text, values)).rows
    },
    async stop() {
      for (const one of opened) one.close()
      await service.stop()
      await orderService.stop()
      await worker.end()
      await orderWorker.end()
      await admin.stop()
      await database.drop()
      await orderDatabase.drop()
    },
  }
}

export type DispatchMesh = Awaited<ReturnType<typeof dispatchMesh>>
