import { ReadinessServiceService } from '@svc/contracts/common/v1/readiness_service'
import { openDatabase } from '@svc/database'
import { grpcServer, served } from '@svc/grpc'
import { kafkaProducer } from '@svc/kafka'
import { composeService, opsServer, type Service } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import { createTransact, intentWorker, outboxRelay } from '@svc/outbox'
import { changeWaitingFor } from './changes/kinds.ts'
import { intentCalls } from './commissions/intent-calls.ts'
import { LEASE_SECONDS } from './commissions/settle.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { migrations } from './db/migrations/index.ts'
import { SimTimerEntity } from './db/sim-timer-entity.ts'
import { shared } from './db/store-order.ts'
import { Order } from './domain/order.ts'
import { connectDispatch } from './peers/dispatch.ts'
import { reachKafka } from './peers/reach-kafka.ts'
import { connectWallet } from './peers/wallet.ts'
import { fulfilmentService } from './rpc/fulfilment-service.ts'
import { orderService } from './rpc/order-service.ts'
import { simulatorService } from './rpc/simulator-service.ts'
import { assignmentWorker } from './workers/assignment-worker.ts'
import { sandboxSweeper } from './workers/sandbox-sweeper.ts'
import { simulatorWorker } from './workers/simulator-worker.ts'

/** Settlements go on this soon after the wallet is back. */
const MAX_BACKOFF_SECONDS = 15

export interface OrderService extends Service {
  /** host:port of the gRPC server. */
  address(): string
  opsAddress(): string
}

/** The order service, ready to start; tests override parts of its context. */
export async function createOrderService(config: Config, overrides: Partial<Context> = {}): Promise<OrderService> {
  const { host, instance, kafkaBrokers: brokers } = config
  const topic = `${config.topicPrefix}svc.order.v1`
  const logger = createLogger('order')

  const database = await openDatabase({
    name: 'order',
    url: config.orderDatabaseUrl,
    workerUrl: config.orderWorkerUrl,
    entities: [Order, SimTimerEntity],
    migrations,
    poolSize: config.orderPoolSize,
  })
  const producer = kafkaProducer({ brokers, clientId: instance, topics: [topic] })
  const relay = outboxRelay({ database, producer, topic, source: 'order', instance })
  const dispatch = connectDispatch(config)
  const wallet = connectWallet(config)
  const base = { config, database, dispatch, transact: createTransact(database, relay), logger }
  const simulator = simulatorWorker(base)
  const assignments = assignmentWorker(base)
  const intents = intentWorker({
    transact: base.transact,
    calls: intentCalls(() => context, changeWaitingFor),
    leaseSeconds: LEASE_SECONDS,
    maxBackoffSeconds: MAX_BACKOFF_SECONDS,
  })
  const context: Context = {
    ...base,
    creations: shared(database.app),
    relay,
    simulator,
    assignments,
    wallet,
    intents,
    failpoint: () => {},
    ...overrides,
  }
  const grpc = grpcServer({
    host,
    port: config.grpcPort,
    audience: 'order',
    secrets: config.callerSecrets,
    reflection: config.grpcReflection,
    services: [
      served(orderService, context),
      served(simulatorService, context),
      served(fulfilmentService, context),
      [ReadinessServiceService, { getReadiness: () => service.ready() }],
    ],
  })
  const ops = opsServer({ host, port: config.opsPort, service: () => service })

  const service = composeService(
    [
      { name: 'database', stop: () => database.close() },
      dispatch,
      wallet,
      producer,
      relay,
      intents,
      simulator,
      assignments,
      sandboxSweeper(base),
      grpc,
      ops,
    ],
    {
      checks: {
        database: { required: true, probe: () => database.ping() },
        kafka: { required: false, probe: () => reachKafka(brokers) },
      },
    },
  )
  return { ...service, address: () => grpc.address(), opsAddress: () => ops.address() }
}
