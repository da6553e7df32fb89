import { ReadinessServiceService } from '@svc/contracts/common/v1/readiness_service'
import { openDatabase } from '@svc/database'
import { grpcServer, served } from '@svc/grpc'
import { kafkaProducer } from '@svc/kafka'
import { composeService, opsServer, type Service } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import { createTransact, intentWorker, outboxRelay, startConsumers } from '@svc/outbox'
import type { Config } from './config.ts'
import { consumers as factConsumers } from './consumers/index.ts'
import type { Context } from './context.ts'
import { migrations } from './db/migrations/index.ts'
import { settlements } from './db/settlements.ts'
import { createClients } from './peers/clients.ts'
import { paymentProvider } from './peers/payment-provider.ts'
import { cachedPlans } from './peers/plans.ts'
import { billingService } from './rpc/billing-service.ts'
import { commissionService } from './rpc/commission-service.ts'
import { payoutService } from './rpc/payout-service.ts'
import { topupService } from './rpc/topup-service.ts'
import { walletService } from './rpc/wallet-service.ts'
import { chores } from './workers/chores.ts'
import { CALL_LEASE_SECONDS, intentCalls } from './workers/intent-calls.ts'
import { payoutAge } from './workers/payout-age.ts'

export interface WalletService extends Service {
  /** host:port of the gRPC server. */
  address(): string
  opsAddress(): string
  /** What its use cases depend on. */
  context: Context
}

/** The wallet service, ready to start; tests override parts of its context. */
export async function createWalletService(config: Config, overrides: Partial<Context> = {}): Promise<WalletService> {
  const { host, instance, kafkaBrokers: brokers, topicPrefix } = config
  const topic = `${topicPrefix}svc.wallet.v1`
  const database = await openDatabase({
    name: 'wallet',
    url: config.walletDatabaseUrl,
    workerUrl: config.walletWorkerUrl,
    entities: [],
    migrations,
    poolSize: config.walletPoolSize,
  })
  const producer = kafkaProducer({ brokers, clientId: instance, topics: [topic] })
  const relay = outboxRelay({ database, producer, topic, source: 'wallet', instance })
  const transact = createTransact(database, relay)
  const payments = paymentProvider(config)
  const clients = createClients(config)
  const intents = intentWorker({ transact, calls: intentCalls(() => context), leaseSeconds: CALL_LEASE_SECONDS })
  const context: Context = {
    config,
    database,
    transact,
    settlements: settlements(database.worker),
    relay,
    payments,
    plans: cachedPlans(payments),
    ...clients,
    intents,
    failpoint: () => {},
    logger: createLogger('wallet'),
    ...overrides,
  }
  const consumers = startConsumers({
    group: `${topicPrefix}wallet`,
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
    audience: 'wallet',
    secrets: config.callerSecrets,
    reflection: config.grpcReflection,
    services: [
      served(walletService, context),
      served(commissionService, context),
      served(payoutService, context),
      served(topupService, context),
      served(billingService, context),
      [ReadinessServiceService, { getReadiness: () => service.ready() }],
    ],
  })
  const ops = opsServer({ host, port: config.opsPort, service: () => service })

  const service = composeService(
    [
      { name: 'database', stop: () => database.close() },
      { name: 'payment provider', stop: async () => payments?.close() },
      { name: 'clients', stop: async () => clients.merchants?.close() },
      producer,
      relay,
      intents,
      ...chores(context),
      payoutAge(context),
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
