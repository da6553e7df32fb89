import { RealtimeEvent } from '@svc/contracts/dispatch/v1/realtime'
import type { Part } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import type { PubSub } from './pub-sub.ts'

const logger = createLogger('realtime')
/** Where dispatch tells what happened, after the prefix of the installation. */
const CHANNEL = 'svc.dispatch.realtime'

type Event = NonNullable<RealtimeEvent['event']>

/** Hears what dispatch tells, while Redis is there. */
export function subscription(redis: PubSub, prefix: string, onEvent: (event: Event) => void): Part {
  redis.on('messageBuffer', (channel: Buffer, message: Buffer) => {
    if (channel.toString() !== prefix + CHANNEL) return
    try {
      const { event } = RealtimeEvent.decode(message)
      if (event) onEvent(event)
    } catch (err) {
      logger.error({ err }, 'what dispatch told could not be passed on')
    }
  })
  return {
    name: 'realtime subscription',
    async start() {
      const subscribed = redis.subscribe(prefix + CHANNEL)
      // Without Redis the connection subscribes by itself as soon as it stands.
      if (redis.status === 'ready') await subscribed
    },
  }
}
