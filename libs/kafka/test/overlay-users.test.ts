import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ensureTopics, kafkaConsumer } from '@svc/kafka'
import { fetchKafkaJars, fetchKafkaTools } from '@svc/testing'
import { kafkaDriver } from '../src/driver.ts'
import { guardedBrokers } from './guarded-brokers.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SCRIPT = join(ROOT, 'deploy/kubernetes/components/servers/kafka-users.sh')
const TOOL = join(ROOT, 'deploy/cluster/servers/kafka-tool.sh')
const TOPICS = ['svc.admin.v1', 'svc.order.v1', 'svc.wallet.v1']
const run = promisify(execFile)

/** As the Secret of an overlay has them; order-2 takes the place of order. */
const PASSWORDS = { admin: 'of-admin', 'order-2': 'of-the-next-order' } as const
type User = keyof typeof PASSWORDS

let cluster: Awaited<ReturnType<typeof guardedBrokers>>
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'overlay-users-'))
  for (const name of ['kafka-acls.sh', 'kafka-configs.sh']) symlinkSync(TOOL, join(folder, name))
  const users = join(folder, 'users')
  mkdirSync(users)
  for (const [name, password] of Object.entries(PASSWORDS)) writeFileSync(join(users, name), password)
  cluster = await guardedBrokers(ROOT, [])
  const cache = join(ROOT, '.local/cache')
  const jars = [await fetchKafkaJars(cache, () => {}), await fetchKafkaTools(cache, () => {})]
  const env = {
    PATH: `${process.env.PATH}:${folder}`,
    KAFKA_CLASSES: jars.map((each) => `${each}/*`).join(':'),
    KAFKA_HEAP_OPTS: '-Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1',
  }
  // As the container beside the broker does it: seven commands of Java.
  await run('sh', [SCRIPT, users, cluster.internal], { env })
}, 480_000)

afterAll(async () => {
  await cluster?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const driverOf = (user: string, password: string) =>
  kafkaDriver({ brokers: cluster.as(user, password), clientId: 'test' })

async function writable(user: User): Promise<string[]> {
  const admin = await driverOf(user, PASSWORDS[user]).admin()
  try {
    return await admin.writable(TOPICS)
  } finally {
    await admin.close()
  }
}

test('each user that the Secret of an overlay names writes the topic of its service alone, and hears others', async () => {
  // Admin makes the topics of all.
  await ensureTopics({ brokers: cluster.as('admin', PASSWORDS.admin), topics: TOPICS })
  expect(await writable('admin')).toEqual(['svc.admin.v1'])
  expect(await writable('order-2')).toEqual(['svc.order.v1'])
  const producer = await driverOf('order-2', PASSWORDS['order-2']).producer()
  const fact = { topic: 'svc.order.v1', key: 'a', payload: Buffer.from('said by order'), headers: {} }
  await producer.send('svc.order.v1', [fact])
  await producer.close()
  const heard = Promise.withResolvers<string>()
  const consumer = kafkaConsumer({
    brokers: cluster.as('admin', PASSWORDS.admin),
    clientId: 'test',
    group: 'admin-orders',
    topics: ['svc.order.v1'],
    onMessage: async ({ payload }) => heard.resolve(String(payload)),
  })
  await consumer.start()
  expect(await heard.promise).toBe('said by order')
  await consumer.stop()
})

test('who has another password, or is none of them, does not come in', async () => {
  await expect(driverOf('admin', PASSWORDS['order-2']).admin()).rejects.toThrow(/SASL|authentication/i)
  await expect(driverOf('order', PASSWORDS['order-2']).admin()).rejects.toThrow(/SASL|authentication/i)
})
