import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ensureTopics, kafkaConsumer, kafkaProducer } from '@svc/kafka'
import { eventually, startPrivateBrokers, testServers } from '@svc/testing'
import kafkajs from 'kafkajs'
import { accessTo, type DriverAdmin, kafkaDriver } from '../src/driver.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PASSWORD = 'at-least-some-words'
const [OWN, OTHERS, UNMADE] = ['svc.order.v1', 'svc.wallet.v1', 'svc.admin.v1']
/** Of users that may do too much. */
const LAX = 'svc.dispatch.v1'
const { ALLOW } = kafkajs.AclPermissionTypes
const { READ, WRITE, CREATE, DESCRIBE_CONFIGS } = kafkajs.AclOperationTypes

let cluster: Awaited<ReturnType<typeof startPrivateBrokers>>
let superuser: DriverAdmin
let folder: string
const authorities = tls.getCACertificates('default')

/** How a user reaches the brokers, as KAFKA_BROKERS says it. */
const as = (user: string) => cluster.brokers.map((broker) => `kafkas://${user}:${PASSWORD}@${broker}`)

/** What a user may do with a resource, as its operator says it. */
async function allow(
  user: string,
  resourceName: string,
  operations: readonly kafkajs.AclOperationTypes[],
  resourcePatternType = kafkajs.ResourcePatternTypes.LITERAL,
  resourceType = kafkajs.AclResourceTypes.TOPIC,
): Promise<void> {
  const admin = new kafkajs.Kafka({ ...accessTo(as('operator')), logLevel: kafkajs.logLevel.NOTHING }).admin()
  await admin.connect()
  const rule = { principal: `User:${user}`, host: '*', permissionType: ALLOW }
  await admin.createAcls({
    acl: operations.map((operation) => ({ ...rule, resourceType, resourceName, resourcePatternType, operation })),
  })
  await admin.disconnect()
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kafka-rights-'))
  const file = (name: string) => join(folder, name)
  const made = ['-nodes', '-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
  const words = ['req', '-x509', '-newkey', 'rsa:2048', ...made, '-keyout', file('key'), '-out', file('crt')]
  execFileSync('openssl', words, { stdio: 'pipe' })
  const certificate = readFileSync(file('crt'), 'utf8')
  writeFileSync(file('keystore.pem'), readFileSync(file('key'), 'utf8') + certificate)
  tls.setDefaultCACertificates([...authorities, certificate])
  const users = Object.fromEntries(['operator', 'order', 'wallet', 'lax', 'careless'].map((user) => [user, PASSWORD]))
  cluster = await startPrivateBrokers(ROOT, 1, { users, superuser: 'operator', keystore: file('keystore.pem') })
  superuser = await kafkaDriver({ brokers: as('operator'), clientId: 'test' }).admin()
  await ensureTopics({ brokers: as('operator'), topics: [LAX, OTHERS] })
  await allow('order', OWN, [WRITE, CREATE, DESCRIBE_CONFIGS])
  for (const user of ['lax', 'careless']) await allow(user, LAX, [WRITE, CREATE, DESCRIBE_CONFIGS])
  await allow('order', OTHERS, [READ])
  await allow('wallet', OWN, [READ])
  await allow('wallet', 'wallet', [READ], kafkajs.ResourcePatternTypes.PREFIXED, kafkajs.AclResourceTypes.GROUP)
  await allow('lax', 'svc.', [WRITE], kafkajs.ResourcePatternTypes.PREFIXED)
  await allow('careless', OTHERS, [WRITE])
}, 240_000)

afterAll(async () => {
  tls.setDefaultCACertificates(authorities)
  await superuser?.close()
  await cluster?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const fact = { topic: OWN, key: 'a', payload: Buffer.from('said by the order service'), headers: {} }
const guarding = { clientId: 'test', topicsOfOthers: [OTHERS, UNMADE] }

test('a user with the rights that the page on TLS gives a service writes its own topic, and others read it', async () => {
  const producer = kafkaProducer({ ...guarding, topics: [OWN], brokers: as('order') })
  await producer.send([fact])
  const seen: string[] = []
  const consumer = kafkaConsumer({
    brokers: as('wallet'),
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
    const producer = kafkaProducer({ ...guarding, topics: [LAX], brokers: as(user) })
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
  expect(await admin.lag('nobody', [topic])).toBe(0)
  await admin.close()
})
