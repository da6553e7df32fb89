import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ensureTopics, kafkaProducer, UnsafeTopicsError } from '@svc/kafka'
import { eventually, startPrivateBrokers } from '@svc/testing'
import { type DriverAdmin, kafkaDriver } from '../src/driver.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
let cluster: Awaited<ReturnType<typeof startPrivateBrokers>>
let admin: DriverAdmin

beforeAll(async () => {
  cluster = await startPrivateBrokers(ROOT, 3)
  admin = await kafkaDriver({ brokers: cluster.brokers, clientId: 'test' }).admin()
  await eventually(async () => (await admin.brokers()) === 3)
}, 240_000)

afterAll(async () => {
  await admin?.close()
  await cluster?.stop()
})

test('where there are three brokers all keep each fact, and two have it before it is acknowledged', async () => {
  await ensureTopics({ brokers: cluster.brokers, topics: ['safe'], refusesWeakTopics: true })
  expect(await admin.copies(['safe'])).toEqual([{ topic: 'safe', replicas: 3, insync: 2 }])
})

test('a topic that one broker keeps is refused, and nothing is sent to it', async () => {
  const { brokers } = cluster
  await ensureTopics({ brokers, topics: ['weak'], replicationFactor: 1 })
  await ensureTopics({ brokers, topics: ['weak'] })
  await expect(ensureTopics({ brokers, topics: ['weak'], refusesWeakTopics: true })).rejects.toThrow(UnsafeTopicsError)
  const producer = kafkaProducer({ brokers, clientId: 'test', topics: ['weak'], refusesWeakTopics: true })
  const fact = { topic: 'weak', key: 'a', payload: Buffer.from('lost'), headers: {} }
  await expect(producer.send([fact])).rejects.toThrow('not kept by 2 brokers, 2 in sync: weak (1, 1 in sync)')
})

test('a topic whose facts one broker acknowledges is refused, though three keep it', async () => {
  const settings = { 'min.insync.replicas': '1' }
  await admin.createTopics([{ name: 'hasty', partitions: 1, replicationFactor: 3, settings }])
  const options = { brokers: cluster.brokers, topics: ['hasty'], refusesWeakTopics: true }
  await expect(ensureTopics(options)).rejects.toThrow('hasty (3, 1 in sync)')
})
