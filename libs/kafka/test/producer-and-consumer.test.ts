import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from '@jest/globals'
import {
  ensureTopics,
  type FactMessage,
  type KafkaProducer,
  kafkaConsumer,
  kafkaProducer,
  TooLargeError,
} from '@svc/kafka'
import { eventually, testServers, uniquePrefix } from '@svc/testing'

const closing: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function brokers(): Promise<string[]> {
  return (await testServers()).kafkaBrokers
}

async function producerOf(topics: string[]): Promise<KafkaProducer> {
  const producer = kafkaProducer({ brokers: await brokers(), clientId: 'test', topics })
  closing.push(() => producer.stop())
  return producer
}

async function received(topic: string, onMessage?: (fact: FactMessage) => Promise<void>) {
  const facts: FactMessage[] = []
  const group = `${topic}-${randomUUID()}`
  const consumer = kafkaConsumer({
    brokers: await brokers(),
    clientId: group,
    group,
    topics: [topic],
    async onMessage(fact) {
      await onMessage?.(fact)
      facts.push(fact)
    },
  })
  closing.push(() => consumer.stop())
  await consumer.start()
  return { facts, consumer }
}

const factOf = (topic: string, key: string, content: string | Buffer): FactMessage => ({
  topic,
  key,
  payload: Buffer.from(content),
  headers: { ce_id: randomUUID(), ce_type: 'parcel.moved' },
})

describe('the producer', () => {
  test('sends more than the broker takes in one request, and keeps the order of each key', async () => {
    const topic = `${uniquePrefix()}big`
    const producer = await producerOf([topic])
    const keys = ['a', 'b', 'c']
    const sent = Array.from({ length: 30 }, (_, index) =>
      factOf(topic, keys[index % 3]!, `${String(index).padStart(3, '0')}${'x'.repeat(200 * 1024)}`),
    )
    await producer.send(sent)
    const { facts } = await received(topic)
    // A busy group is dealt anew, and then has some of them twice.
    const orderOf = (all: FactMessage[], key: string) => [
      ...new Set(all.filter((fact) => fact.key === key).map((fact) => fact.payload.subarray(0, 3).toString())),
    ]
    await eventually(() => {
      for (const key of keys) expect(orderOf(facts, key)).toEqual(orderOf(sent, key))
    })
  })

  test('names the one fact that the broker refuses for good', async () => {
    const topic = `${uniquePrefix()}refused`
    const producer = await producerOf([topic])
    const huge = factOf(topic, 'a', Buffer.alloc(2 * 1024 * 1024))
    const error = await producer.send([factOf(topic, 'a', 'small'), huge, factOf(topic, 'a', 'small')]).catch((e) => e)
    expect(error).toBeInstanceOf(TooLargeError)
    expect((error as TooLargeError).fact).toBe(huge)
    await producer.send([factOf(topic, 'a', 'after')])
  })

  test('creates its topics once, whoever starts first', async () => {
    const topics = [`${uniquePrefix()}one`, `${uniquePrefix()}two`]
    await Promise.all(Array.from({ length: 4 }, async () => ensureTopics({ brokers: await brokers(), topics })))
    await (await producerOf(topics)).send(topics.map((topic) => factOf(topic, 'a', 'there')))
  })
})

describe('the consumer', () => {
  test('waits for a topic that does not exist yet and then misses nothing that was sent before it joined', async () => {
    const topic = `${uniquePrefix()}late`
    const { facts, consumer } = await received(topic)
    const producer = await producerOf([topic])
    await producer.send([factOf(topic, 'a', 'early')])
    await eventually(() => facts.length === 1)
    expect(facts[0]).toMatchObject({ key: 'a', payload: Buffer.from('early'), headers: { ce_type: 'parcel.moved' } })
    await eventually(async () => expect(await consumer.lag()).toBe(0))
  })

  test('delivers a fact again until its handler succeeds, and later ones after it', async () => {
    const topic = `${uniquePrefix()}again`
    const producer = await producerOf([topic])
    await producer.send([1, 2, 3].map((index) => factOf(topic, 'a', String(index))))
    let failures = 2
    const { facts } = await received(topic, async (fact) => {
      if (fact.payload.toString() === '2' && failures-- > 0) throw new Error('not yet')
    })
    await eventually(() => facts.length >= 3)
    expect(facts.map((fact) => fact.payload.toString())).toEqual(['1', '2', '3'])
  })

  test('that is stopped leaves what it has not finished to the next member of the group', async () => {
    const topic = `${uniquePrefix()}next`
    const producer = await producerOf([topic])
    await producer.send([1, 2, 3, 4].map((index) => factOf(topic, 'a', String(index))))
    const group = `${topic}-group`
    const seen: string[] = []
    const member = async (onFact: (content: string) => Promise<void>) => {
      const consumer = kafkaConsumer({
        brokers: await brokers(),
        clientId: group,
        group,
        topics: [topic],
        onMessage: async (fact) => onFact(fact.payload.toString()),
      })
      closing.push(() => consumer.stop())
      await consumer.start()
      return consumer
    }
    const inHand = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const first = await member(async (content) => {
      seen.push(content)
      if (content === '2') {
        inHand.resolve()
        await goOn.promise
      }
    })
    await inHand.promise
    const stopped = first.stop()
    goOn.resolve()
    await stopped
    expect(seen).toEqual(['1', '2'])
    await member(async (content) => {
      seen.push(content)
    })
    await eventually(() => seen.length >= 4)
    expect(seen).toEqual(['1', '2', '3', '4'])
  })
})
