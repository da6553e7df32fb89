import { type Credential, epochKey } from '@svc/credentials'
import { createLogger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import { Redis } from 'ioredis'
import { COUNT_REQUEST } from './count-request.lua.ts'
import type { Limit } from './limits.ts'
import { type Counting, LocalWindows, widthSeconds } from './local-window.ts'
import { type Looked, type Stand, TurnOfLimits } from './turn-of-limits.ts'

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
  /** The same of each limit by itself; what is asked in one turn of the event loop is one call. */
  lookEach(limits: readonly Limit[]): Promise<Usage[]>
  /** Counts what has happened, however much is used up; whoever looks in this turn or later finds it counted. */
  record(limits: readonly Limit[]): Promise<void>
  ping(): Promise<void>
  /** Waits for Redis, a moment at most: without it the gateway serves all the same. */
  start(): Promise<void>
  stop(): void
}

type Counts = [admitted: number, told: number, remaining: number, reset: number, ...epochs: (string | null)[]]
type Counted = Redis & {
  countRequest(...args: unknown[]): Promise<Counts>
  countTurn(...args: unknown[]): Promise<number[]>
}

interface Options {
  url: string
  prefix: string
  /** Processes that share the limits while Redis is away. */
  replicas: number
  commandTimeoutMs: number
}

/**
 * Counts requests in Redis, by a script, so that all replicas together admit at most the limit. While Redis is
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

  /** What Redis answers; without it what this process counts by itself. */
  async function asked<T>(ask: () => Promise<T>, alone: () => T): Promise<T> {
    try {
      if (redis.status !== 'ready') throw new Error(`the connection is ${redis.status}`)
      const answer = await ask()
      if (away) logger.info('Redis answers again')
      away = false
      return answer
    } catch (err) {
      alert(err)
      return alone()
    }
  }

  function countedAlone(limits: readonly Limit[], counting: Counting): Usage {
    const { told, ...usage } = local.count(limits, Date.now(), counting)
    const retryAfterSeconds = usage.admitted ? 1 : usage.resetSeconds
    return { ...usage, retryAfterSeconds, limit: limits[told], epochs: undefined }
  }

  const turn = new TurnOfLimits((looked) => standsInRedis(redis, prefix, looked))
  const usageOf = (
    limits: readonly Limit[],
    counting: InRedis,
    credentials: readonly Credential[] = [],
  ): Promise<Usage> =>
    asked(
      () => askRedis(redis, { prefix, limits, counting, credentials }),
      () => countedAlone(limits, counting),
    )

  return {
    count: (limits, credentials) => usageOf(limits, 'count', credentials),
    look: (limits) => usageOf(limits, 'look'),
    lookEach: (limits) =>
      asked(
        async () => (await turn.look(limits)).map((stand, i) => usageOfOne(stand, limits[i])),
        () => limits.map((limit) => countedAlone([limit], 'look')),
      ),
    record: (limits) =>
      asked(
        async () => void (await turn.look(limits, 1)),
        () => void countedAlone(limits, 'record'),
      ),
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
    // Is a turn's already.
    autoPipeliningIgnoredCommands: ['countTurn'],
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  })
  // Every failed attempt to reconnect would be a line; the counter above says what matters.
  redis.on('error', () => {})
  redis.defineCommand('countRequest', { lua: COUNT_REQUEST })
  redis.defineCommand('countTurn', { lua: COUNT_REQUEST })
  return redis as Counted
}

/** What has happened is counted with what is looked at, in turns. */
type InRedis = Exclude<Counting, 'record'>

interface Question {
  prefix: string
  limits: readonly Limit[]
  counting: InRedis | 'each'
  credentials: readonly Credential[]
}

async function askRedis(redis: Counted, question: Question): Promise<Usage> {
  const [admitted, told, remaining, reset, ...epochs] = await redis.countRequest(...argumentsOf(question))
  return { ...usageOfOne(standOf(admitted, remaining, reset), question.limits[told - 1]), epochs }
}

async function standsInRedis(redis: Counted, prefix: string, looked: readonly Looked[]): Promise<Stand[]> {
  const question: Question = { prefix, limits: looked.map(({ limit }) => limit), counting: 'each', credentials: [] }
  const happened = looked.map((each) => each.happened)
  const apart = await redis.countTurn(...argumentsOf(question), ...happened)
  return looked.map((_, i) => standOf(apart[3 * i], apart[3 * i + 1], apart[3 * i + 2]))
}

function argumentsOf({ prefix, limits, counting, credentials }: Question): Array<string | number> {
  const args: Array<string | number> = [limits.length + credentials.length]
  for (const { key, windowSeconds } of limits) args.push(`${prefix}rate:${windowSeconds}:${key}`)
  for (const credential of credentials) args.push(prefix + epochKey(credential))
  args.push(limits.length)
  for (const { limit, windowSeconds } of limits) args.push(limit, widthSeconds(windowSeconds))
  args.push(counting)
  return args
}

const standOf = (admitted = 0, remaining = 0, reset = 0): Stand => ({
  admitted: admitted === 1,
  remaining: Math.max(0, remaining),
  resetSeconds: Math.max(1, reset),
})

const usageOfOne = (stand: Stand, limit: Limit | undefined): Usage => ({
  ...stand,
  retryAfterSeconds: stand.admitted ? 1 : stand.resetSeconds,
  limit,
  epochs: [],
})
