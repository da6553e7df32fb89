import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ensureTopics, kafkaConsumer, kafkaProducer } from '@svc/kafka'
import { eventually, testServers } from '@svc/testing'
import kafkajs from 'kafkajs'
import { type DriverAdmin, kafkaDriver } from '../src/driver.ts'
import { guardedBrokers } from './guarded-brokers.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const [OWN, OTHERS, UNMADE] = ['svc.order.v1', 'svc.wallet.v1', 'svc.admin.v1']
/** Of users that may do too much. */
const LAX = 'svc.dispatch.v1'
const { READ, WRITE, CREATE, DESCRIBE_CONFIGS } = kafkajs.AclOperationTypes
const { PREFIXED } = kafkajs.ResourcePatternTypes

let cluster: Awaited<ReturnType<typeof guardedBrokers>>
let superuser: DriverAdmin

beforeAll(async () => {
  cluster = await guardedBrokers(ROOT, ['order', 'wallet', 'lax', 'careless'])
  const { allow, operator } = cluster
  superuser = await kafkaDriver({ brokers: operator, clientId: 'test' }).admin()
  await ensureTopics({ brokers: operator, topics: [LAX, OTHERS] })
  const toHave = [WRITE, CREATE, DESCRIBE_CONFIGS]
  await allow({ user: 'order', resourceName: OWN, operations: toHave })
  for (const user of ['lax', 'careless']) await allow({ user, resourceName: LAX, operations: toHave })
  await allow({ user: 'order', resourceName: OTHERS, operations: [READ] })
  await allow({ user: 'wallet', resourceName: OWN, operations: [READ] })
  const group = { resourceType: kafkajs.AclResourceTypes.GROUP, resourcePatternType: PREFIXED }
  await allow({ user: 'wallet', resourceName: 'wallet', operations: [READ], ...group })
  await allow({ user: 'lax', resourceName: 'svc.', operations: [WRITE], resourcePatternType: PREFIXED })
  await allow({ user: 'careless', resourceName: OTHERS, operations: [WRITE] })
}, 240_000)

afterAll(async () => {
  await superuser?.close()
  await cluster?.stop()
})

const fact = { topic: OWN, key: 'a', payload: Buffer.from('said by the order service'), headers: {} }
const guarding = { clientId: 'test', topicsOfOthers: [OTHERS, UNMADE] }

test('a user with the rights that the page on TLS gives a service writes its own topic, and others read it', async () => {
  const producer = kafkaProducer({ ...guarding, topics: [OWN], brokers: cluster.as('order') })
  await producer.send([fact])
  const seen: string[] = []
  const consumer = kafkaConsumer({
    brokers: cluster.as('wallet'),
    clientId: 'test',
    group: 'wallet',
    topics: [OWN],
    onBatch: async (facts, work) => {
      seen.push(...facts.map(({ payload }) => payload.toString()))
      for (const one of facts) await work.done(one)
    },
  })
  await consumer.start()
  await eventually(() => expect(seen).toEqual(['said by the order service']))
  await consumer.stop()
  await producer.stop()
})

test.each([
  ['lax', `${OTHERS}, ${UNMADE}`],
  ['careless', OTHERS],
])(
  'a process whose user %s may write the topics of others is refused, made or not, and sends nothing',
  async (user, open) => {
    const before = await superuser.lag('nobody', [LAX, OTHERS])
    const producer = kafkaProducer({ ...guarding, topics: [LAX], brokers: cluster.as(user) })
    await expect(producer.send([{ ...fact, topic: LAX }])).rejects.toThrow(
      `our user may write what only others write: ${open}.`,
    )
    expect(await superuser.lag('nobody', [LAX, OTHERS])).toBe(before)
    await producer.stop()
  },
)

test('brokers that ask nobody who comes are refused, and hold no trace of having been asked', async () => {
  const { kafkaBrokers: brokers } = await testServers()
  const topic = `rights-${Date.now()}`
  await ensureTopics({ brokers, topics: [topic] })
  const options = { brokers, topics: [], topicsOfOthers: [topic] }
  await expect(ensureTopics(options)).rejects.toThrow(`our user may write what only others write: ${topic}`)
  const admin = await kafkaDriver({ brokers, clientId: 'test' }).admin()
  // The first group of a broker waits a moment for who keeps it.
  await eventually(async () => expect(await admin.lag('nobody', [topic])).toBe(0))
  await admin.close()
})
