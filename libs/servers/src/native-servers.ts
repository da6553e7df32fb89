import { mkdirSync } from 'node:fs'
import { allOrNone } from './all-or-none.ts'
import type { Child } from './child.ts'
import { startKafka } from './kafka.ts'
import { fetchKafkaJars } from './kafka-jars.ts'
import { type KeptRunning, keepRunning } from './keep-running.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'

export interface ServerOptions {
  /** Holds the server's data and the record of its process. */
  folder: string
  logFolder: string
  port: number
}

export type ServerName = 'postgres' | 'redis' | 'kafka'

export interface ServerPorts {
  postgres: number
  redis: number
  kafka: number
  kafkaController: number
}

export interface ServersOptions {
  folder: string
  logFolder: string
  /** Shared by all that run servers: Kafka's jars by version. */
  cacheFolder: string
  ports: ServerPorts
  password: string
  /** Addresses of servers that run elsewhere; those are not started. */
  given?: Partial<ServerAddresses>
  /** False trades safety from a power cut for speed. */
  durable?: boolean
  /** Runs as soon as Postgres answers, while the slower ones are still starting. */
  onDatabase?: () => Promise<void>
  /** Hears of servers that ended and are started again. */
  report?: (line: string) => void
}

export interface ServerAddresses {
  databaseAdminUrl: string
  redisUrl: string
  kafkaBrokers: string[]
}

export interface Servers extends ServerAddresses {
  /** Ends one of the servers started here, by SIGKILL unless told otherwise; it comes back on the same port and data. */
  kill(name: ServerName, signal?: NodeJS.Signals): void
  stop(): Promise<void>
}

/** Starts Postgres, Redis and Kafka side by side; when one of them fails the others are stopped before it throws. */
export async function startServers(options: ServersOptions): Promise<Servers> {
  mkdirSync(options.folder, { recursive: true })
  const { given = {}, ports } = options
  const at = (port: number): ServerOptions => ({ folder: options.folder, logFolder: options.logFolder, port })
  const running = new Map<ServerName, KeptRunning>()
  const stop = async () => {
    await Promise.all([...running.values()].map((server) => server.stop()))
  }
  const keep = async <Started extends { child: Child }>(name: ServerName, start: () => Promise<Started>) => {
    const started = await start()
    running.set(name, keepRunning(started.child, start, options.report))
    return started
  }
  const postgres = () =>
    keep('postgres', () =>
      startPostgres({ ...at(ports.postgres), password: options.password, durable: options.durable ?? true }),
    )
  const redis = () => keep('redis', () => startRedis(at(ports.redis)))
  const kafka = async () => {
    const jarsFolder = await fetchKafkaJars(options.cacheFolder, options.report ?? (() => {}))
    const start = () => startKafka({ ...at(ports.kafka), controllerPort: ports.kafkaController, jarsFolder })
    return keep('kafka', start)
  }
  const databaseThen = async (work = async () => {}) => {
    const url = given.databaseAdminUrl ?? (await postgres()).url
    await work()
    return url
  }

  const [databaseAdminUrl, redisUrl, kafkaBrokers] = await allOrNone(
    [
      databaseThen(options.onDatabase),
      given.redisUrl ?? redis().then(({ url }) => url),
      given.kafkaBrokers ?? kafka().then(({ broker }) => [broker]),
    ] as const,
    stop,
  )
  return {
    databaseAdminUrl,
    redisUrl,
    kafkaBrokers,
    stop,
    kill: (name, signal = 'SIGKILL') => {
      const server = running.get(name)
      if (!server) throw new Error(`${name} was not started here`)
      server.kill(signal)
    },
  }
}
