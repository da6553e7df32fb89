import { createLogger } from '@svc/logging'
import kafkajs from 'kafkajs'

const logger = createLogger('kafka')

export interface ClientOptions {
  /** `host:port`, or `kafkas://user:password@host:port` for TLS and SCRAM-SHA-512. */
  brokers: string[]
  clientId: string
}

/** A kafkajs client that logs like everything else and gives up on a dead broker quickly: the callers retry. */
export function createClient({ brokers, clientId }: ClientOptions): kafkajs.Kafka {
  return new kafkajs.Kafka({
    ...accessTo(brokers),
    clientId,
    connectionTimeout: 3_000,
    requestTimeout: 15_000,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 4 },
    logLevel: kafkajs.logLevel.WARN,
    logCreator: () => write,
  })
}

type Access = Required<Pick<kafkajs.KafkaConfig, 'brokers' | 'ssl'>> & Pick<kafkajs.KafkaConfig, 'sasl'>

/** How to reach the brokers: all of them in the same way. */
export function accessTo(brokers: readonly string[]): Access {
  const urls = brokers.map((broker) => new URL(broker.includes('://') ? broker : `kafka://${broker}`))
  const [first, ...others] = new Set(
    urls.map(({ protocol, username, password }) => `${protocol}${username}:${password}`),
  )
  const { protocol, username, password } = urls[0] ?? {}
  const isSafe = protocol === 'kafkas:' || (protocol === 'kafka:' && !username)
  if (first === undefined || others.length > 0 || !isSafe) {
    throw new Error('KAFKA_BROKERS must be addresses, or URLs kafkas://user:password@host:port, all of one kind')
  }
  const ssl = protocol === 'kafkas:'
  const hosts = urls.map(({ host }) => host)
  if (!username) return { brokers: hosts, ssl }
  const sasl = { username: decodeURIComponent(username), password: decodeURIComponent(password ?? '') }
  return { brokers: hosts, ssl, sasl: { mechanism: 'scram-sha-512', ...sasl } }
}

function write({ level, log }: kafkajs.LogEntry): void {
  const { message, timestamp: _timestamp, logger: _logger, stack: _stack, ...fields } = log
  if (level === kafkajs.logLevel.ERROR) logger.warn(fields, message)
  else logger.debug(fields, message)
}
