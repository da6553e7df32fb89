import { ReadinessServiceService } from '@svc/contracts/common/v1/readiness_service'
import { openDatabase } from '@svc/database'
import { grpcServer, served } from '@svc/grpc'
import { kafkaProducer } from '@svc/kafka'
import { composeService, opsServer, type Part, type Service } from '@svc/lifecycle'
import { mailer } from '@svc/mail'
import { createTransact, outboxRelay, startConsumers } from '@svc/outbox'
import { createSecretBox } from '@svc/sealing'
import type { Config } from './config.ts'
import { moneyConsumers, orderConsumers } from './consumers/index.ts'
import type { Context } from './context.ts'
import { migrations } from './db/migrations/index.ts'
import { createOutboundHttp } from './peers/outbound-http.ts'
import { deliveryService } from './rpc/delivery-service.ts'
import { eventService } from './rpc/event-service.ts'
import { outboundWebhookService } from './rpc/outbound-webhook-service.ts'
import { alertMailer } from './workers/alert-mailer.ts'
import { deliveryWakes } from './workers/delivery-wakes.ts'
import { deliveryWorker } from './workers/delivery-worker.ts'
import { observeBacklog } from './workers/observe-backlog.ts'
import { retention } from './workers/retention.ts'

export interface WebhookService extends Service {
  /** host:port of the gRPC server. */
  address(): string
  opsAddress(): string
}

/** The webhook service, ready to start. */
export async function createWebhookService(config: Config): Promise<WebhookService> {
  const { host, instance, kafkaBrokers: brokers, topicPrefix } = config
  const topic = `${topicPrefix}svc.webhook.v1`
  const database = await openDatabase({
    name: 'webhook',
    url: config.webhookDatabaseUrl,
    workerUrl: config.webhookWorkerUrl,
    entities: [],
    migrations,
  })
  const secretBox = createSecretBox(config.keyEncryptionKey)
  const http = createOutboundHttp({ allowLocal: config.webhookAllowLocal })
  const producer = kafkaProducer({ brokers, clientId: instance, topics: [topic] })
  const relay = outboxRelay({ database, producer, topic, source: 'webhook', instance })
  const deliveries = deliveryWorker({ config, database, secretBox, http })
  const waking = deliveryWakes(database, deliveries.wake)
  const transact = createTransact(database, relay)
  const context: Context = { config, database, transact, secretBox, http, wakeDeliveries: waking.wake }
  const consuming = {
    brokers,
    topicPrefix,
    database,
    async transact<T>(...[scope, work]: Parameters<typeof transact<T>>): Promise<T> {
      const result = await transact(scope, work)
      waking.wake()
      return result
    },
    context,
  }
  const consumers = startConsumers({ ...consuming, group: `${topicPrefix}webhook`, consumers: orderConsumers })
  const money = startConsumers({ ...consuming, group: `${topicPrefix}webhook-money`, consumers: moneyConsumers })
  const grpc = grpcServer({
    host,
    port: config.grpcPort,
    audience: 'webhook',
    secrets: config.callerSecrets,
    reflection: config.grpcReflection,
    services: [
      served(outboundWebhookService, context),
      served(deliveryService, context),
      served(eventService, context),
      [ReadinessServiceService, { getReadiness: () => service.ready() }],
    ],
  })
  const ops = opsServer({ host, port: config.opsPort, service: () => service })

  const service = composeService(
    [
      { name: 'database', stop: () => database.close() },
      { name: 'outbound http', stop: () => http.close() },
      producer,
      relay,
      observeBacklog(database),
      retention({ database, retentionMs: config.eventLogRetention }),
      ...alerts(config, context),
      deliveries,
      waking,
      consumers,
      money,
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

/** Without a mail provider alerts wait in their table. */
function alerts({ mailApiUrl, mailApiKey, mailFrom }: Config, { database }: Context): Part[] {
  if (mailApiUrl === undefined) return []
  return [alertMailer({ database, mail: mailer({ baseUrl: mailApiUrl, apiKey: mailApiKey, from: mailFrom }) })]
}
