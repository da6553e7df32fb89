import { createLogger } from '@svc/logging'
import kafkajs from 'kafkajs'

const logger = createLogger('kafka')

export interface ClientOptions {
  brokers: string[]
  clientId: string
}

/** A kafkajs client that logs like everything else and gives up on a dead broker quickly: the callers retry. */
export function createClient({ brokers, clientId }: ClientOptions): kafkajs.Kafka {
  return new kafkajs.Kafka({
    brokers,
    clientId,
    connectionTimeout: 3_000,
    requestTimeout: 15_000,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 4 },
    logLevel: kafkajs.logLevel.WARN,
    logCreator: () => write,
  })
}

function write({ level, log }: kafkajs.LogEntry): void {
  const { message, timestamp: _timestamp, logger: _logger, stack: _stack, ...fields } = log
  if (level === kafkajs.logLevel.ERROR) logger.warn(fields, message)
  else logger.debug(fields, message)
}
