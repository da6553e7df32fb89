import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from '@jest/globals'
import { type KafkaConsumer, kafkaConsumer, kafkaProducer } from '@svc/kafka'
import { eventually, testServers, uniquePrefix } from '@svc/testing'

const fixture = fileURLToPath(new URL('./fixtures/consumer.ts', import.meta.url))
const closing: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function doomed(...args: string[]): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, ['--conditions=source', fixture, ...args], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  closing.push(() => child.kill('SIGKILL'))
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += String(chunk)
  })
  return { child, output: () => text }
}

test('the facts of a consumer that was killed go to another one of its group within 20 seconds', async () => {
  const { kafkaBrokers: brokers } = await testServers()
  const topic = `${uniquePrefix()}killed`
  const group = `${topic}-group`
  const producer = kafkaProducer({ brokers, clientId: 'test', topics: [topic] })
  closing.push(() => producer.stop())
  const send = (text: string) => {
    const headers = { ce_id: randomUUID(), ce_type: 'parcel.moved' }
    return producer.send([{ topic, key: 'one', payload: Buffer.from(text), headers }])
  }
  await send('before')
  const { child, output } = doomed(brokers.join(','), group, topic)
  await eventually(() => output().includes('before'))
  child.kill('SIGKILL')

  await send('after')
  const facts: string[] = []
  const heir: KafkaConsumer = kafkaConsumer({
    brokers,
    clientId: 'heir',
    group,
    topics: [topic],
    onMessage: async ({ payload }) => void facts.push(payload.toString()),
  })
  closing.push(() => heir.stop())
  await heir.start()
  await eventually(() => facts.includes('after'))
  expect(facts.at(-1)).toBe('after')
})
