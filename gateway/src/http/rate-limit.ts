import { type Credential, epochKey } from '@svc/credentials'
import { createLogger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import { Redis } from 'ioredis'
import { COUNT_REQUEST } from './count-request.lua.ts'
import type { Limit } from './limits.ts'
import { type Counting, LocalWindows, widthSeconds } from './local-window.ts'

const logger = createLogger('rate-limit')
const withoutRedis = metrics.counter(
  'rate_limit_without_redis',
  'Requests counted by this process alone: Redis did not answer',
  [{}],
)

/** What a request has left, and the epochs that were read in the same breath. */
export interface Usage {
  admitted: boolean
  /** The tightest; of those that refuse, the one to wait for longest. */
  limit: Limit | undefined
  /** Of that limit. */
  remaining: number
  /** Until the oldest request that it counts leaves its window. */
  resetSeconds: number
  /** Until a request may be admitted. */
  retryAfterSeconds: number
  /** In the order asked; null where Redis keeps none. Undefined: Redis did not answer. */
  epochs: readonly (string | null)[] | undefined
}

export interface RateLimiter {
  count(limits: readonly Limit[], credentials: readonly Credential[]): Promise<Usage>
  /** What counting would answer; counts nothing. */
  look(limits: readonly Limit[]): Promise<Usage>
  /** Counts what has happened, however much is used up. */
  record(limits: readonly Limit[]): Promise<void>
  ping(): Promise<void>
  /** Waits for Redis, a moment at most: without it the gateway serves all the same. */
  start(): Promise<void>
  stop(): void
}

type Counts = [admitted: number, told: number, remaining: number, reset: number, ...epochs: (string | null)[]]
type Counted = Redis & { countRequest(...args: unknown[]): Promise<Counts> }

interface Options {
  url: string
  prefix: string
  /** Processes that share the limits while Redis is away. */
  replicas: number
  commandTimeoutMs: number
}

/**
 * Counts requests in Redis, one script call each, so that all replicas together admit at most the limit. While Redis is
 * away each replica grants its share from memory and says so in its log and metrics: no outage, no open door.
 */
export function createRateLimiter({ url, prefix, replicas, commandTimeoutMs }: Options): RateLimiter {
  const redis = connect(url, commandTimeoutMs)
  const local = new LocalWindows(replicas)
  let away = false

  function alert(err: unknown): void {
    withoutRedis.add(1)
    if (!away)
      logger.error({ err, alert: 'rate_limit_redis_down' }, 'Redis does not answer: limits are counted locally')
    away = true
  }

  async function usageOf(
    limits: readonly Limit[],
    counting: Counting,
    credentials: readonly Credential[] = [],
  ): Promise<Usage> {
    try {
      if (redis.status !== 'ready') throw new Error(`the connection is ${redis.status}`)
      const usage = await askRedis(redis, { prefix, limits, counting, credentials })
      if (away) logger.info('Redis answers again')
      away = false
      return usage
    } catch (err) {
      alert(err)
      const { told, ...usage } = local.count(limits, Date.now(), counting)
      const retryAfterSeconds = usage.admitted ? 1 : usage.resetSeconds
      return { ...usage, retryAfterSeconds, limit: limits[told], epochs: undefined }
    }
  }

  return {
    count: (limits, credentials) => usageOf(limits, 'count', credentials),
    look: (limits) => usageOf(limits, 'look'),
    async record(limits) {
      await usageOf(limits, 'record')
    },
    async ping() {
      await redis.ping()
    },
    async start() {
      await redis.connect().catch(alert)
    },
    stop() {
      redis.disconnect()
    },
  }
}

function connect(url: string, commandTimeoutMs: number): Counted {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    connectTimeout: 2_000,
    // After an ended connection ioredis waits so long for its end, and keeps the process.
    disconnectTimeout: 100,
    lazyConnect: true,
    // Requests that arrive together are counted with one write and one read of the socket.
    enableAutoPipelining: true,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  })
  // Every failed attempt to reconnect would be a line; the counter above says what matters.
  redis.on('error', () => {})
  redis.defineCommand('countRequest', { lua: COUNT_REQUEST })
  return redis as Counted
}

interface Question {
  prefix: string
  limits: readonly Limit[]
  counting: Counting
  credentials: readonly Credential[]
}

async function askRedis(redis: Counted, { prefix, limits, counting, credentials }: Question): Promise<Usage> {
  const args: (string | number)[] = [limits.length + credentials.length]
  for (const { key, windowSeconds } of limits) args.push(`${prefix}rate:${windowSeconds}:${key}`)
  for (const credential of credentials) args.push(prefix + epochKey(credential))
  args.push(limits.length)
  for (const { limit, windowSeconds } of limits) args.push(limit, widthSeconds(windowSeconds))
  args.push(counting)
  const [admitted, told, remaining, reset, ...epochs] = await redis.countRequest(...args)
  return {
    admitted: admitted === 1,
    limit: limits[told - 1],
    remaining: Math.max(0, remaining),
    resetSeconds: Math.max(1, reset),
    retryAfterSeconds: admitted === 1 ? 1 : Math.max(1, reset),
    epochs,
  }
}
