import { CALLS, callersOf } from '@svc/contracts/calls'
import type { Migrations } from '@svc/database'
import { ensureTopics } from '@svc/kafka'
import { type ServerAddresses, testServers } from '@svc/servers'
import pg from 'pg'
import { TEST_SECRET } from './callers.ts'
import { PATIENT, type TestDatabase, testDatabase } from './database.ts'
import { eventually } from './eventually.ts'
import { uniquePrefix } from './unique-prefix.ts'

/** A service as its definition has it. */
interface Defined<Config, Context, Service> {
  readonly name: string
  readonly migrations: Migrations
  readonly config: (env?: NodeJS.ProcessEnv) => Config
  create(config: Config, overrides?: Partial<Context>): Promise<Service>
}

interface Wanted {
  /** Variables of its environment, over those that every service under test has. */
  settings?: Record<string, string>
  /** Extensions of its database. */
  extensions?: string[]
  /** Topics, without their prefix, that are there before it starts. */
  topics?: readonly string[]
  /** How the rows of `sql` are read. */
  types?: pg.CustomTypesConfig
}

/** Where a service runs in a test. */
export interface Surroundings {
  /** The environment of its process: servers, secrets with all that call it, and no peers. */
  env: Record<string, string>
  database: TestDatabase
  /** Of its topics and its Redis keys. */
  prefix: string
  servers: ServerAddresses
  /** Connections of the worker role, which sees every row; here its statements may take long. */
  worker: pg.Pool
  sql: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>
  release: () => Promise<void>
}

/** Where processes that a test starts find the code that others have compiled: without, each takes a third longer to start. */
const { NODE_COMPILE_CACHE } = process.env
const COMPILED: Record<string, string> = NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}

/** A database, topics and keys that no other test has, for a service however it is started. */
export async function surroundingsOf(
  { name, migrations }: { readonly name: string; readonly migrations: Migrations },
  { settings = {}, extensions = [], topics = [], types }: Wanted = {},
): Promise<Surroundings> {
  const [servers, database] = await Promise.all([testServers(), testDatabase(name, migrations, extensions)])
  const prefix = settings['TOPIC_PREFIX'] ?? uniquePrefix()
  // A busy broker knows a topic a moment after it has made it.
  if (topics.length > 0)
    await eventually(() =>
      ensureTopics({ brokers: servers.kafkaBrokers, topics: topics.map((topic) => prefix + topic) }),
    )
  const NAME = name.toUpperCase()
  const peers = (CALLS[name] ?? []).map((peer) => peer.toUpperCase())
  const worker = new pg.Pool({ connectionString: database.workerUrl, max: 2, ...PATIENT, ...(types && { types }) })
  // Dropping the database ends idle connections.
  worker.on('error', () => {})

  return {
    env: {
      NODE_ENV: 'test',
      ...COMPILED,
      INSTANCE: `${name}-under-test`,
      [`${NAME}_DATABASE_URL`]: database.url,
      [`${NAME}_WORKER_URL`]: database.workerUrl,
      [`${NAME}_OWNER_URL`]: database.ownerUrl,
      KAFKA_BROKERS: servers.kafkaBrokers.join(','),
      TOPIC_PREFIX: prefix,
      REDIS_URL: servers.redisUrl,
      REDIS_PREFIX: prefix,
      ...Object.fromEntries(
        callersOf(name).map((from) => [`CALLER_SECRET_${from.toUpperCase()}_${NAME}`, TEST_SECRET]),
      ),
      ...Object.fromEntries(peers.map((PEER) => [`CALLER_SECRET_${NAME}_${PEER}`, TEST_SECRET])),
      ...Object.fromEntries(peers.map((PEER) => [`${PEER}_GRPC_ADDRESS`, 'none'])),
      ...settings,
    },
    database,
    prefix,
    servers,
    worker,
    sql: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await worker.query<Row>(text, values)).rows,
    release: async () => {
      await worker.end()
      await database.drop()
    },
  }
}

/** A service in this process, started from its definition, in surroundings of its own. */
export async function serviceUnderTest<
  Config,
  Context,
  Service extends { start(): Promise<unknown>; stop(): Promise<unknown> },
>(definition: Defined<Config, Context, Service>, wanted: Wanted & { overrides?: Partial<Context> } = {}) {
  const around = await surroundingsOf(definition, wanted)

  /** Starts another replica beside it. */
  async function start(settings: Record<string, string> = {}, overrides: Partial<Context> = {}): Promise<Service> {
    const replica = await definition.create(definition.config({ ...around.env, ...settings }), overrides)
    await replica.start()
    return replica
  }
  const service = await start({}, wanted.overrides)

  return {
    ...around,
    service,
    start,
    stop: async () => {
      await service.stop()
      await around.release()
    },
  }
}
