import type { Merchant } from '@svc/contracts/admin/v1/merchant'
import type { Counter, Database, openDatabase } from '@svc/database'
import type { Consumer } from '@svc/facts'
import type { CallerSecrets, Served } from '@svc/grpc'
import type { Check, Part } from '@svc/lifecycle'
import type { Logger } from '@svc/logging'
import type { OrmTx, Reads, Transact, Tx } from '@svc/transact'

type DatabaseOptions = Parameters<typeof openDatabase>[0]

/** What the configuration of the service `Name` holds at least: the common knobs and the URLs of its database. */
export type ConfigOf<Name extends string> = {
  host: string
  grpcPort: number
  opsPort: number
  grpcReflection: boolean
  instance: string
  drainDelayMs?: number | undefined
  sweepIntervalMs: number
  kafkaBrokers: string[]
  kafkaReplicationFactor?: number | undefined
  kafkaAcl?: 'off' | undefined
  nodeEnv: string
  topicPrefix: string
  callerSecrets: CallerSecrets
  /** Whom a service with `takesMerchant` asks. */
  adminGrpcAddress?: string | undefined
  adminCallerSecret?: string | undefined
} & { readonly [Url in `${Name}DatabaseUrl` | `${Name}WorkerUrl`]: string } & {
  readonly [Knob in `${Name}PoolSize` | `${Name}ConnectTimeout`]?: number
}

/** What every context is built upon. */
export interface Base<Config, T extends Tx = Tx> {
  config: Config
  database: Database
  /** With the ORM, OrmTx, where entities are mapped. */
  transact: Transact<T>
  reads: Reads
  /** Facts were written past `transact`. */
  relay: { wake(): void }
  logger: Logger
}

/** Hands over something to connect to: it starts before all that uses it and stops after it, in commands too. */
export type Peer = <P extends Part>(part: P) => P

/** What every context has of it. */
export type Based = Pick<Base<unknown>, 'database' | 'transact'>

/** What a service maps, if it maps anything. Only then is the ORM opened, and its transactions have it. */
export type Mapped<T extends Tx> = T extends OrmTx
  ? { entities: NonNullable<DatabaseOptions['entities']> }
  : { entities?: never }

/** A service as data: what it is made of. How that starts, is asked for its health and stops is decided in assemble.ts. */
export interface Definition<
  Name extends string,
  Config extends ConfigOf<Name>,
  Context extends Based,
  T extends Tx = Tx,
> {
  /** Of its database, its topic `svc.<name>.v1`, and the audience of calls. */
  name: Name
  config: (env?: NodeJS.ProcessEnv) => Config
  migrations: DatabaseOptions['migrations']
  /** Of Postgres, which only an administrator may create. */
  extensions?: readonly string[]
  /** What others remember of its rows by number; raised when the database was restored. */
  counters?: readonly Counter[]
  /** Builds what the use cases depend on. What it connects to it hands to `peer`. */
  context: (base: Base<Config, T>, peer: Peer) => Context | Promise<Context>
  /** By group, which is a service's name unless one topic must not hold up another. */
  consumers?: Readonly<Record<string, ReadonlyArray<Consumer<NoInfer<Context>>>>>
  /** Takes a merchant over as it is now: every one that admin knows, before the first fact. Its table: merchantsLearned. */
  takesMerchant?: (tx: Tx, merchant: Merchant, context: NoInfer<Context>) => Promise<void>
  /** Topics that it creates beside its own: of many that it reads, one that is missing must not hold up the others. */
  alsoCreates?: readonly string[]
  /** What wakes workers after the transaction of a fact. */
  afterFacts?(context: NoInfer<Context>): void
  /** Loops, chores and observers. */
  workers?(context: NoInfer<Context>): readonly Part[]
  rpcs: ReadonlyArray<Served<NoInfer<Context>>>
  /** Beside those of the database and Kafka. */
  checks?(context: NoInfer<Context>): Readonly<Record<string, Check>>
}
