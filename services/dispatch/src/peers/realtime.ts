import { RealtimeEvent } from '@svc/contracts/dispatch/v1/realtime'
import type { Part } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import { Redis } from 'ioredis'

/** Where every gateway listens, after the prefix of the installation. */
export const REALTIME_CHANNEL = 'svc.dispatch.realtime'

export interface Realtime {
  /** Tells all gateways, if Redis is there; never throws and never waits: sockets get snapshots. */
  publish(event: NonNullable<RealtimeEvent['event']>): void
}

const logger = createLogger('realtime')
const untold = metrics.counter('realtime_untold', 'Events that sockets were not told of: Redis was away', [{}])
/** A server that hangs keeps its connections: what it has not taken by then it is not told. */
const COMMAND_TIMEOUT_MS = 2_000

/** The way to the sockets. */
export function realtimePublisher({
  redisUrl,
  redisPrefix,
}: {
  redisUrl: string
  redisPrefix: string
}): Realtime & Part {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: COMMAND_TIMEOUT_MS,
  })
  let isAway = false
  const failed = (err: unknown): void => {
    // Once per outage.
    if (!isAway) logger.warn({ err }, 'sockets are told nothing while Redis is away')
    isAway = true
  }
  const back = (): void => {
    isAway = false
  }
  redis.on('error', failed)
  redis.on('ready', back)
  return {
    name: 'realtime',
    async start() {
      await redis.connect().catch(failed)
    },
    async stop() {
      redis.disconnect()
    },
    publish(event) {
      if (redis.status !== 'ready') return untold.add(1)
      const bytes = Buffer.from(RealtimeEvent.encode({ event }).finish())
      redis.publish(redisPrefix + REALTIME_CHANNEL, bytes).then(back, (err: unknown) => {
        untold.add(1)
        failed(err)
      })
    },
  }
}
