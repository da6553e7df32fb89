import { ReadinessServiceService } from '@svc/contracts/common/v1/readiness_service'
import { TOPICS } from '@svc/contracts/facts'
import { openDatabase } from '@svc/database'
import { grpcServer, served } from '@svc/grpc'
import { kafkaProducer } from '@svc/kafka'
import { composeService, opsServer, type Service } from '@svc/lifecycle'
import { outboxRelay, startConsumers } from '@svc/outbox'
import type { Config } from './config.ts'
import { consumers as factConsumers } from './consumers/index.ts'
import { createContext } from './create-context.ts'
import { entities } from './db/entities.ts'
import { migrations } from './db/migrations/index.ts'
import { connectRedis } from './peers/connect-redis.ts'
import { apiKeyService } from './rpc/api-key-service.ts'
import { credentialService } from './rpc/credential-service.ts'
import { merchantService } from './rpc/merchant-service.ts'
import { operatorService } from './rpc/operator-service.ts'
import { housekeeping } from './workers/housekeeping.ts'

export interface AdminService extends Service {
  /** host:port of the gRPC server. */
  address(): string
  opsAddress(): string
}

/** The admin service, ready to start. */
export async function createAdminService(config: Config): Promise<AdminService> {
  const { host, instance, kafkaBrokers: brokers, topicPrefix } = config
  const ownTopic = `${topicPrefix}svc.admin.v1`

  const database = await openDatabase({
    name: 'admin',
    url: config.adminDatabaseUrl,
    workerUrl: config.adminWorkerUrl,
    entities,
    migrations,
  })
  const redis = connectRedis(config.redisUrl)
  // All that it reads besides its own: one missing topic would keep it from reading the others.
  const topics = TOPICS.map((topic) => topicPrefix + topic)
  const producer = kafkaProducer({ brokers, clientId: instance, topics })
  const relay = outboxRelay({ database, producer, topic: ownTopic, source: 'admin', instance })
  const context = await createContext(config, { database, redis: redis.redis, relay })
  const consumers = startConsumers({
    group: `${topicPrefix}admin`,
    brokers,
    topicPrefix,
    database,
    transact: context.transact,
    consumers: factConsumers,
    context,
  })
  const grpc = grpcServer({
    host,
    port: config.grpcPort,
    audience: 'admin',
    secrets: config.callerSecrets,
    reflection: config.grpcReflection,
    services: [
      served(credentialService, context),
      served(merchantService, context),
      served(apiKeyService, context),
      served(operatorService, context),
      [ReadinessServiceService, { getReadiness: () => service.ready() }],
    ],
  })
  const ops = opsServer({ host, port: config.opsPort, service: () => service })

  const service = composeService(
    [
      { name: 'database', stop: () => database.close() },
      redis,
      producer,
      relay,
      context.keyUse,
      ...housekeeping(database),
      consumers,
      grpc,
      ops,
    ],
    {
      checks: {
        database: { required: true, probe: () => database.ping() },
        kafka: { required: false, probe: async () => void (await consumers.lag()) },
        redis: { required: false, probe: async () => void (await redis.redis.ping()) },
      },
    },
  )
  return { ...service, address: () => grpc.address(), opsAddress: () => ops.address() }
}
