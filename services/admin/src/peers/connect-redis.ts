import type { Part } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import { Redis } from 'ioredis'

const logger = createLogger('redis')

/** Redis as something that may be away: a command fails at once or within half a second, never queues. */
export function connectRedis(url: string): Part & { redis: Redis } {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 500,
    connectTimeout: 2_000,
    // After an ended connection ioredis waits so long for its end, and keeps the process.
    disconnectTimeout: 100,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  })
  redis.on('error', (err: Error) => logger.warn({ err }, 'Redis does not answer'))
  return {
    name: 'redis',
    redis,
    async start() {
      // Goes on trying by itself.
      await redis.connect().catch(() => undefined)
    },
    async stop() {
      redis.disconnect()
    },
  }
}
