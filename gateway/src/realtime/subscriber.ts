import { createLogger } from '@svc/logging'
import { Redis } from 'ioredis'

const logger = createLogger('realtime')

/**
 * A connection that hears channels, and after a loss again by itself. Nobody waits for that: where Redis refuses it, for
 * want of a right, sockets hear nothing until the next connection, and the process goes on.
 */
export class Subscriber extends Redis {
  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    if (command.name.endsWith('subscribe'))
      command.promise.catch((err: unknown) => logger.warn({ err }, 'sockets hear nothing'))
    return super.sendCommand(command, stream)
  }
}
