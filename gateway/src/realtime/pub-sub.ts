import { createLogger } from '@svc/logging'
import { Redis } from 'ioredis'

const logger = createLogger('realtime')

/** What nobody waits for. */
const UNATTENDED = /(subscribe|publish)$/

/**
 * A connection that hears channels or tells them something, and after a loss hears them again by itself. Nobody waits for
 * that: where Redis refuses it, for want of a right, or has gone, sockets or other replicas hear nothing until the next time,
 * and the process goes on.
 */
export class PubSub extends Redis {
  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    const { name, promise } = command
    if (UNATTENDED.test(name))
      promise.catch((err: unknown) => logger.warn({ err, command: name }, 'sockets or other replicas hear nothing'))
    return super.sendCommand(command, stream)
  }
}
