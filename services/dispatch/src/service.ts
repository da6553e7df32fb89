import { ReadinessServiceService } from '@svc/contracts/common/v1/readiness_service'
import { openDatabase } from '@svc/database'
import { grpcServer, served } from '@svc/grpc'
import { kafkaProducer } from '@svc/kafka'
import { composeService, opsServer, type Service } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import { createTransact, intentWorker, outboxRelay, startConsumers } from '@svc/outbox'
import type { Config } from './config.ts'
import { factConsumers } from './consumers/index.ts'
import type { Context } from './context.ts'
import { migrations } from './db/migrations/index.ts'
import { positionLog } from './db/position-log.ts'
import { createClients } from './peers/clients.ts'
import { messenger } from './peers/messenger.ts'
import { configuredObjectStore } from './peers/object-store.ts'
import { osrmRouter } from './peers/osrm-router.ts'
import { publishMoves } from './peers/publish-moves.ts'
import { realtimePublisher } from './peers/realtime.ts'
import { connectWallet } from './peers/wallet.ts'
import { assignmentService } from './rpc/assignment-service.ts'
import { fleetService } from './rpc/fleet-service.ts'
import { placeService } from './rpc/place-service.ts'
import { positionService } from './rpc/position-service.ts'
import { pricingService } from './rpc/pricing-service.ts'
import { proofService } from './rpc/proof-service.ts'
import { riderService } from './rpc/rider-service.ts'
import { dispatchWorker } from './workers/dispatch-worker.ts'
import { intentCalls } from './workers/intent-calls.ts'
import { locationLogKeeper } from './workers/location-log-keeper.ts'
import { moveObserver } from './workers/move-observer.ts'
import { retention } from './workers/retention.ts'
import { riderWorker } from './workers/rider-worker.ts'

export interface DispatchService extends Service {
  /** host:port of the gRPC server. */
  address(): string
  opsAddress(): string
}

/** The dispatch service, ready to start; tests override parts of its context. */
export async function createDispatchService(
  config: Config,
  overrides: Partial<Context> = {},
): Promise<DispatchService> {
  const { host, instance, kafkaBrokers: brokers, topicPrefix } = config
  const topic = `${topicPrefix}svc.dispatch.v1`
  const database = await openDatabase({
    name: 'dispatch',
    url: config.dispatchDatabaseUrl,
    workerUrl: config.dispatchWorkerUrl,
    entities: [],
    migrations,
    poolSize: config.dispatchPoolSize,
  })
  const producer = kafkaProducer({ brokers, clientId: instance, topics: [topic] })
  const relay = outboxRelay({ database, producer, topic, source: 'dispatch', instance })
  const realtime = realtimePublisher(config)
  const messages = messenger(config)
  const clients = createClients(config)
  const wallet = connectWallet(config)
  const dispatcher = dispatchWorker(() => context)
  const moveWatch = moveObserver(() => context)
  const transact = createTransact(database, relay)
  const intents = intentWorker({ transact, calls: intentCalls(() => context) })
  const context: Context = {
    config,
    database,
    transact,
    ...clients,
    wallet,
    messenger: messages,
    positionLog: positionLog(database, (moved) => {
      publishMoves(context, moved)
      moveWatch.observe(moved)
    }),
    realtime,
    router: config.routerUrl ? osrmRouter({ baseUrl: config.routerUrl, logger: createLogger('router') }) : null,
    objectStore: configuredObjectStore(config),
    dispatcher,
    intents,
    failpoint: () => {},
    logger: createLogger('dispatch'),
    ...overrides,
  }
  const consumers = startConsumers({
    group: `${topicPrefix}dispatch`,
    brokers,
    topicPrefix,
    database,
    // What a fact makes due is due once it is committed.
    transact: (scope, work) => context.transact(scope, work).finally(() => dispatcher.wake()),
    consumers: factConsumers,
    context,
  })
  const grpc = grpcServer({
    host,
    port: config.grpcPort,
    audience: 'dispatch',
    secrets: config.callerSecrets,
    reflection: config.grpcReflection,
    services: [
      [ReadinessServiceService, { getReadiness: () => service.ready() }],
      served(riderService, context),
      served(fleetService, context),
      served(assignmentService, context),
      served(positionService, context),
      served(placeService, context),
      served(pricingService, context),
      served(proofService, context),
    ],
  })
  const ops = opsServer({ host, port: config.opsPort, service: () => service })
  const service = composeService(
    [
      { name: 'database', stop: () => database.close() },
      { name: 'clients', stop: async () => Object.values(clients).forEach((client) => client.close()) },
      ...(wallet ? [wallet] : []),
      realtime,
      messages,
      locationLogKeeper(context),
      retention(context),
      producer,
      relay,
      moveWatch,
      dispatcher,
      intents,
      consumers,
      riderWorker(context),
      grpc,
      ops,
    ],
    {
      checks: {
        database: { required: true, probe: () => database.ping() },
        kafka: { required: false, probe: async () => void (await consumers.lag()) },
      },
    },
  )
  return { ...service, address: () => grpc.address(), opsAddress: () => ops.address() }
}
