import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { kafkaProducer } from '@svc/kafka'
import { eventually, startPrivateBrokers } from '@svc/testing'
import { kafkaDriver } from '../src/driver.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const fixture = fileURLToPath(new URL('./fixtures/consumer.ts', import.meta.url))
const KEYS = ['a', 'b', 'c', 'd']
/** As many as there are partitions of the topic that keeps where groups are, which the brokers share. */
const COORDINATORS = 4
const WORK_MS = 100
let cluster: Awaited<ReturnType<typeof startPrivateBrokers>>
let consumers: ChildProcess | undefined

beforeAll(async () => {
  cluster = await startPrivateBrokers(ROOT, 2)
  const admin = await kafkaDriver({ brokers: cluster.brokers, clientId: 'test' }).admin()
  // Else the first broker would keep where all groups are.
  await eventually(async () => (await admin.brokers()) === 2, { timeoutMs: 60_000 })
  await admin.close()
}, 240_000)

afterAll(async () => {
  consumers?.kill('SIGKILL')
  await cluster?.stop()
}, 240_000)

/** One group for each partition of that topic, so that every broker coordinates some: as Kafka finds it from the name. */
function groupsOfEachCoordinator(): string[] {
  const found = new Map<number, string>()
  for (let number = 0; found.size < COORDINATORS; number++) {
    const name = `group-${number}`
    const hash = Array.from(name).reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) | 0, 0)
    found.set(Math.abs(hash) % COORDINATORS, name)
  }
  return [...found.values()]
}

test('whose coordinator is away for longer than they try, consumers join again: each fact is handled, per key in order', async () => {
  const { brokers } = cluster
  const topic = 'moved'
  const groups = groupsOfEachCoordinator()
  const producer = kafkaProducer({ brokers, clientId: 'test', topics: [topic] })
  const sent: string[] = []
  const sendEach = async (count: number) => {
    const from = sent.length
    for (let index = from; index < from + count; index++) sent.push(String(index).padStart(3, '0'))
    const facts = sent.slice(from).flatMap((text) => KEYS.map((key) => factOf(topic, key, text)))
    await eventually(() => producer.send(facts).then(() => true), { timeoutMs: 120_000 })
  }
  try {
    await sendEach(30)
    let output = ''
    consumers = spawn(
      process.execPath,
      ['--conditions=source', fixture, brokers.join(), groups.join(), topic, String(WORK_MS)],
      {
        env: { ...process.env, NODE_OPTIONS: '' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    consumers.stdout?.on('data', (chunk) => {
      output += String(chunk)
    })
    const didAll = (group: string) =>
      KEYS.every((key) => sent.every((text) => output.includes(`done ${group} ${key} ${text}\n`)))
    await eventually(() => groups.every((group) => output.includes(`done ${group} `)), { timeoutMs: 60_000 })

    const before = output.length
    await cluster.kill(1)
    await eventually(() => output.includes('joins the group again', before) || consumers?.exitCode !== null, {
      timeoutMs: 300_000,
      message: 'the consumers find their coordinator gone',
    })
    expect(consumers.exitCode).toBeNull()
    await cluster.revive(1)
    await sendEach(10)
    await eventually(() => groups.every(didAll), { timeoutMs: 300_000, message: 'each group handles all' })

    expect(consumers.exitCode).toBeNull()
    for (const group of groups) for (const key of KEYS) expectOrder(output, `${group} ${key}`, sent)
  } finally {
    await producer.stop()
  }
}, 800_000)

const factOf = (topic: string, key: string, text: string) => ({
  topic,
  key,
  payload: Buffer.from(text),
  headers: { ce_id: randomUUID(), ce_type: 'parcel.moved' },
})

/** One after the other; what is handled again comes again in order too, and nothing is passed over. */
function expectOrder(output: string, whose: string, sent: readonly string[]): void {
  const lines = output.split('\n').filter((line) => line.includes(` ${whose} `))
  const first: string[] = []
  for (const [index, line] of lines.entries()) {
    const [what, , , text = ''] = line.split(' ')
    if (what === 'done') expect(lines[index - 1]).toBe(line.replace('done', 'begins'))
    else if (text > (first.at(-1) ?? '')) first.push(text)
  }
  expect(first).toEqual(sent)
}
