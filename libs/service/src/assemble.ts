import { ReadinessServiceService } from '@svc/contracts/common/v1/readiness_service'
import { TOPICS } from '@svc/contracts/facts'
import { type Database, openDatabase } from '@svc/database'
import { outboxRelay, startConsumers } from '@svc/facts'
import { service as calledBy, grpcServer, rpc, served, serving } from '@svc/grpc'
import { kafkaProducer } from '@svc/kafka'
import { composeService, opsServer, type Part, type Service } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import { createReads, createTransact, decided, type Transact, type Tx } from '@svc/transact'
import type { Based, ConfigOf, Definition, Mapped } from './definition.ts'
import { learnMerchants } from './learn-merchants.ts'
import { reachKafka } from './reach-kafka.ts'

/** What a service says of itself to the gateway. */
const readiness = serving<Pick<Service, 'ready'>>()(ReadinessServiceService, {
  getReadiness: rpc({ access: calledBy('gateway'), handle: (service) => service.ready() }),
})

/** A service that is ready to start. */
export interface Running<Context> extends Service {
  /** host:port of the gRPC server. */
  address(): string
  opsAddress(): string
  /** What its use cases depend on. */
  context: Context
}

/** The service of a definition, ready to start; tests override parts of its context. */
export async function assemble<Name extends string, Config extends ConfigOf<Name>, Context extends Based, T extends Tx>(
  definition: Definition<Name, Config, Context, T> & Mapped<T>,
  config: Config,
  overrides: Partial<Context> = {},
): Promise<Running<Context>> {
  const { name } = definition
  const { host, instance, kafkaBrokers: brokers, sweepIntervalMs, topicPrefix } = config
  const groups = Object.entries(definition.consumers ?? {})
  const topic = `${topicPrefix}svc.${name}.v1`
  const isProduction = config.nodeEnv === 'production'
  const guarded = isProduction && config.kafkaAcl !== 'off' ? TOPICS.map((one) => topicPrefix + one) : []

  const database = await openDatabase(databaseOptions(definition, config))
  const topics = [topic, ...(definition.alsoCreates ?? []).map((one) => topicPrefix + one)]
  const producer = kafkaProducer({
    brokers,
    clientId: instance,
    topics: [...new Set(topics)],
    replicationFactor: config.kafkaReplicationFactor,
    refusesWeakTopics: isProduction,
    topicsOfOthers: guarded.filter((one) => one !== topic),
  })
  const relay = outboxRelay({ database, producer, topic, source: name, instance, sweepIntervalMs })
  const { context, peers } = await contextOf(definition, { config, database, relay }, overrides)
  const consumers = groups.map(([group, members]) =>
    startConsumers({
      group: topicPrefix + group,
      brokers,
      topicPrefix,
      database,
      transact: (scope, work) => context.transact(scope, work).finally(() => definition.afterFacts?.(context)),
      consumers: members,
      context,
    }),
  )
  const { takesMerchant } = definition
  const { adminGrpcAddress: address, adminCallerSecret: secret } = config as ConfigOf<string>
  const learning =
    takesMerchant && address !== undefined && secret !== undefined
      ? learnMerchants({
          service: name,
          admin: { address, secret },
          transact: context.transact,
          take: (tx, merchant) => takesMerchant(tx, merchant, context),
        })
      : undefined
  const grpc = grpcServer({
    host,
    port: config.grpcPort,
    audience: name,
    secrets: config.callerSecrets,
    reflection: config.grpcReflection,
    services: [
      // Also what is read past transactions: who asks while the database is away is told to come again.
      ...definition.rpcs.map((rpcs) => served(rpcs, context, decided)),
      served(readiness, { ready: () => service.ready() }),
    ],
  })
  const ops = opsServer({ host, port: config.opsPort, service: () => service })

  const [first] = consumers
  const service = composeService(
    [
      { name: 'database', stop: () => database.close() },
      ...peers,
      producer,
      relay,
      ...(definition.workers?.(context) ?? []),
      ...(learning ? [learning, ...consumers.map((one) => learning.before(one))] : consumers),
      grpc,
      ops,
    ],
    {
      checks: {
        database: { required: true, probe: () => database.ping() },
        kafka: { required: false, probe: async () => void (await (first ? first.lag() : reachKafka(brokers))) },
        ...definition.checks?.(context),
      },
    },
  )
  return { ...service, context, address: () => grpc.address(), opsAddress: () => ops.address() }
}

/** Which database a definition opens with its configuration. */
export function databaseOptions<Name extends string, Config extends ConfigOf<Name>>(
  { name, entities, migrations }: Pick<Parameters<typeof openDatabase>[0], 'entities' | 'migrations'> & { name: Name },
  config: Config,
): Parameters<typeof openDatabase>[0] {
  const knobs: ConfigOf<string> = config
  const poolSize = knobs[`${name}PoolSize`] as number | undefined
  const connectTimeoutMs = knobs[`${name}ConnectTimeout`] as number | undefined
  return {
    name,
    url: knobs[`${name}DatabaseUrl`] as string,
    workerUrl: knobs[`${name}WorkerUrl`] as string,
    entities,
    migrations,
    ...(poolSize !== undefined && { poolSize }),
    ...(connectTimeoutMs !== undefined && { connectTimeoutMs }),
  }
}

/** The context of a definition with the peers that it connects to, which are not started yet. */
export async function contextOf<
  Name extends string,
  Config extends ConfigOf<Name>,
  Context extends Based,
  T extends Tx,
>(
  { name, context: build }: Definition<Name, Config, Context, T>,
  open: { config: Config; database: Database; relay: { wake(): void } },
  overrides: Partial<Context>,
): Promise<{ context: Context; peers: Part[] }> {
  const peers: Part[] = []
  // The database was opened with the entities that make T what it is.
  const transact = createTransact(open.database, open.relay) as Transact<T>
  const base = { ...open, transact, reads: createReads(open.database), logger: createLogger(name) }
  const context = await build(base, (part) => {
    peers.push(part)
    return part
  })
  // Into the object itself: workers that the context holds look at it later.
  return { context: Object.assign(context, overrides), peers }
}
