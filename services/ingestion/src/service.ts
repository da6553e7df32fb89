import { ReadinessServiceService } from '@svc/contracts/common/v1/readiness_service'
import { openDatabase } from '@svc/database'
import { grpcServer, served } from '@svc/grpc'
import { kafkaProducer } from '@svc/kafka'
import { composeService, opsServer, type Service } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import { createTransact, outboxRelay, startConsumers } from '@svc/outbox'
import { createSecretBox } from '@svc/sealing'
import { channelsOf } from './channels/index.ts'
import { refusals } from './channels/refusals.ts'
import type { Config } from './config.ts'
import { consumers as factConsumers } from './consumers/index.ts'
import type { Context } from './context.ts'
import { migrations } from './db/migrations/index.ts'
import { channelService } from './rpc/channel-service.ts'
import { hookService } from './rpc/hook-service.ts'
import { observeHooks } from './workers/observe-hooks.ts'
import { retention } from './workers/retention.ts'

export interface IngestionService extends Service {
  /** host:port of the gRPC server. */
  address(): string
  opsAddress(): string
  /** What its use cases depend on. */
  context: Context
}

/** The ingestion service, ready to start. */
export async function createIngestionService(config: Config): Promise<IngestionService> {
  const { host, instance, kafkaBrokers: brokers, topicPrefix } = config
  const topic = `${topicPrefix}svc.ingestion.v1`
  const database = await openDatabase({
    name: 'ingestion',
    url: config.ingestionDatabaseUrl,
    workerUrl: config.ingestionWorkerUrl,
    entities: [],
    migrations,
  })
  const logger = createLogger('ingestion')
  const producer = kafkaProducer({ brokers, clientId: instance, topics: [topic] })
  const relay = outboxRelay({ database, producer, topic, source: 'ingestion', instance })
  const transact = createTransact(database, relay)
  const context: Context = {
    config,
    database,
    transact,
    relay,
    secretBox: createSecretBox(config.keyEncryptionKey),
    channels: channelsOf(config),
    refusals: refusals(logger),
    logger,
  }
  const consumers = startConsumers({
    group: `${topicPrefix}ingestion`,
    brokers,
    topicPrefix,
    database,
    transact,
    consumers: factConsumers,
    context,
  })
  const grpc = grpcServer({
    host,
    port: config.grpcPort,
    audience: 'ingestion',
    secrets: config.callerSecrets,
    reflection: config.grpcReflection,
    services: [
      served(hookService, context),
      served(channelService, context),
      [ReadinessServiceService, { getReadiness: () => service.ready() }],
    ],
  })
  const ops = opsServer({ host, port: config.opsPort, service: () => service })

  const service = composeService(
    [
      { name: 'database', stop: () => database.close() },
      producer,
      relay,
      observeHooks(database),
      retention(context),
      consumers,
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
  return { ...service, context, address: () => grpc.address(), opsAddress: () => ops.address() }
}
