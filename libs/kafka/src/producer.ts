import { createLogger } from '@svc/logging'
import { type DriverOptions, type DriverProducer, kafkaDriver, RequestTooLargeError } from './driver.ts'
import { ensureTopics, type Replication, UnsafeTopicsError } from './ensure-topics.ts'
import { type FactMessage, TooLargeError } from './fact-message.ts'
import { inProducerSpans } from './producer-span.ts'

const logger = createLogger('kafka-producer')

/** Below the broker's 1 MiB limit of one record batch, whatever partitions the facts fall into. */
const REQUEST_BYTES = 700 * 1024
/** Room for headers, keys and framing of one fact. */
const OVERHEAD_BYTES = 512

interface ProducerOptions extends DriverOptions, Replication {
  /** Topics that this process owns: created before its first send. */
  topics?: string[]
}

export interface KafkaProducer {
  name: string
  start(): Promise<void>
  stop(): Promise<void>
  /**
   * Resolves when every in-sync replica has all of the facts. Facts of one key are appended in the order given;
   * after a failure any prefix of each key's facts may have been appended. TooLargeError names a fact refused for good.
   */
  send(messages: FactMessage[]): Promise<void>
}

/**
 * A plain producer with one request in flight. It connects when first used, and anew after a failure; it sends nothing to
 * topics that are refused, and ends the process that starts with such.
 */
export function kafkaProducer(options: ProducerOptions): KafkaProducer {
  const driver = kafkaDriver(options)
  let connected: Promise<DriverProducer> | undefined
  let hasTopics = false

  async function connect(): Promise<DriverProducer> {
    if (!hasTopics && options.topics?.length) await ensureTopics({ ...options, topics: options.topics })
    hasTopics = true
    return driver.producer()
  }

  async function discard(): Promise<void> {
    const old = connected
    connected = undefined
    await old?.then((producer) => producer.close()).catch(() => undefined)
  }

  async function sendRequest(messages: FactMessage[]): Promise<void> {
    connected ??= connect()
    try {
      const producer = await connected
      for (const [topic, facts] of byTopic(messages))
        await inProducerSpans(facts, (traced) => producer.send(topic, traced))
    } catch (error) {
      if (error instanceof RequestTooLargeError) return sendHalves(messages, error.cause)
      await discard()
      throw error
    }
  }

  async function sendHalves(messages: FactMessage[], cause: unknown): Promise<void> {
    if (messages.length === 1) throw new TooLargeError(messages[0]!, cause)
    const half = Math.ceil(messages.length / 2)
    await sendRequest(messages.slice(0, half))
    await sendRequest(messages.slice(half))
  }

  return {
    name: 'kafka-producer',
    async start() {
      connected ??= connect()
      connected.catch((err: unknown) => {
        if (err instanceof UnsafeTopicsError) return refuse(err)
        logger.warn({ err }, 'Kafka is not reachable; facts wait in the outbox')
        connected = undefined
      })
    },
    stop: discard,
    async send(messages) {
      for (const request of requests(messages)) await sendRequest(request)
    },
  }
}

/** Nothing may be acknowledged that one broker can lose or anybody can forge: end the process while a release can still be stopped. */
function refuse(error: UnsafeTopicsError): void {
  logger.fatal({ err: error }, 'the topics are not safe to write to')
  setImmediate(() => {
    throw error
  })
}

function* requests(messages: FactMessage[]): Generator<FactMessage[]> {
  let request: FactMessage[] = []
  let bytes = 0
  for (const message of messages) {
    const size = message.payload.length + OVERHEAD_BYTES
    if (bytes + size > REQUEST_BYTES && request.length > 0) {
      yield request
      request = []
      bytes = 0
    }
    request.push(message)
    bytes += size
  }
  if (request.length > 0) yield request
}

function byTopic(messages: FactMessage[]): Map<string, FactMessage[]> {
  return Map.groupBy(messages, (message) => message.topic)
}
