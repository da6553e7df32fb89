import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, connect as dial, type Server } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFact } from '@svc/contracts/facts'
import { consumer, outboxRelay, replayParkedCommand, startConsumers } from '@svc/facts'
import { type FactMessage, type KafkaProducer, kafkaConsumer, kafkaProducer, TooLargeError } from '@svc/kafka'
import { sweep, type Worker } from '@svc/lifecycle'
import { renderMetrics } from '@svc/telemetry'
import { eventually, explain, testServers, uniquePrefix, vacuum } from '@svc/testing'
import { createTransact } from '@svc/transact'
import pg from 'pg'
import { announce, parcelService, sampleFact, samplePayload, tenant } from '../../transact/test/parcel-service.ts'
import { MACHINERY } from '../src/machinery.ts'
import { markPublished } from '../src/outbox-rows.ts'
import { parkedFacts } from '../src/parked-facts.ts'

let service: Awaited<ReturnType<typeof parcelService>>
let brokers: string[]
let topic: string
let producer: KafkaProducer
/** The holder of the shards collects for 50 ms what comes right after a pass. */
const LONGER_THAN_LINGER_MS = 70
const closing: Array<() => unknown> = []

beforeAll(async () => {
  brokers = (await testServers()).kafkaBrokers
})

afterAll(async () => {
  await producer?.stop()
})

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function setUp() {
  service = await parcelService()
  closing.push(service.close)
  topic = `${uniquePrefix()}svc.ingestion.v1`
  producer = kafkaProducer({ brokers, clientId: 'relay-test', topics: [topic] })
  await producer.start()
  closing.push(() => producer.stop())
}

async function relay(instance: string, through: Pick<KafkaProducer, 'send'> = producer): Promise<Worker> {
  const started = outboxRelay({
    database: service.database,
    producer: through,
    topic,
    source: 'parcel',
    instance,
    sweepIntervalMs: 600_000,
  })
  await started.start()
  closing.push(() => started.stop())
  return started
}

async function everythingOnKafka(): Promise<FactMessage[]> {
  const facts: FactMessage[] = []
  const group = `${topic}-${randomUUID()}`
  const reader = kafkaConsumer({
    brokers,
    clientId: group,
    group,
    topics: [topic],
    onMessage: async (fact) => {
      facts.push(fact)
    },
  })
  closing.push(() => reader.stop())
  await reader.start()
  return facts
}

const unpublished = async () =>
  (await service.database.worker.query<{ n: number }>('SELECT count(*) AS n FROM outbox WHERE published_at IS NULL'))
    .rows[0]!.n

/** As if 20 seconds had passed without a renewal. */
const expireLeases = () => service.database.worker.query('UPDATE shard_lease SET until = clock_timestamp()')

/** Versions of each aggregate in the order in which they first arrived. */
function firstArrivals(facts: readonly FactMessage[]): Map<string, number[]> {
  const seen = new Map<string, number[]>()
  for (const { key, headers } of facts) {
    const versions = seen.get(key) ?? []
    const version = Number(headers['ce_aggregateversion'])
    if (!versions.includes(version)) versions.push(version)
    seen.set(key, versions)
  }
  return seen
}

describe('the relay', () => {
  test('whose request fails in the middle of a backlog sends all of it, per aggregate in order', async () => {
    await setUp()
    const ids = await announce(service.transact, 100, 12)
    let requests = 0
    await relay('a', {
      async send(facts) {
        requests += 1
        if (requests === 2) throw new Error('the broker is gone')
        await producer.send(facts)
      },
    })
    await eventually(async () => (await unpublished()) === 0, { timeoutMs: 60_000 })
    const facts = await everythingOnKafka()
    const versions = Array.from({ length: 12 }, (_, index) => index + 1)
    const expected = new Map(ids.map((id) => [id, versions]))
    await eventually(() => expect(firstArrivals(facts)).toEqual(expected), { timeoutMs: 60_000 })
    expect(requests).toBeGreaterThan(3)
  }, 150_000)

  test('publishes each fact as a CloudEvent under its aggregate, with the trace of its origin', async () => {
    await setUp()
    const running = await relay('a')
    const transact = createTransact(service.database, running)
    const id = randomUUID()
    const traceparent = '00-11111111111111111111111111111111-2222222222222222-01'
    const { eventId, now } = await transact(tenant, async (tx) => ({
      eventId: tx.publish({ ...sampleFact(id, 1, Buffer.from([0, 1, 255])), traceparent }),
      now: tx.now,
    }))
    const facts = await everythingOnKafka()
    await eventually(() => facts.length === 1)
    expect(facts[0]).toMatchObject({
      key: id,
      payload: encodeFact('ingestion.hook_received', samplePayload(Buffer.from([0, 1, 255]))),
      headers: {
        ce_specversion: '1.0',
        ce_id: eventId,
        ce_type: 'ingestion.hook_received',
        ce_source: 'parcel',
        ce_subject: `hook/${id}`,
        ce_time: now.toISOString(),
        ce_aggregateversion: '1',
        ce_merchantid: tenant.merchantId,
        ce_istest: 'false',
        traceparent,
      },
    })
  })

  test('lets no zombie overwrite the state of its successor', async () => {
    await setUp()
    const gate = Promise.withResolvers<void>()
    const isSending = Promise.withResolvers<void>()
    await relay('zombie', {
      async send(facts) {
        isSending.resolve()
        await gate.promise
        await producer.send(facts)
      },
    })
    const leases = async () =>
      (
        await service.database.worker.query<{ shard: number; epoch: number }>(
          `SELECT substr(name, 8)::int AS shard, epoch FROM shard_lease`,
        )
      ).rows
    const oldEpochs = new Map((await leases()).map(({ shard, epoch }) => [shard, epoch]))
    const ids = await announce(service.transact, 20, 3)
    await isSending.promise

    await expireLeases()
    const refusing = { send: async () => Promise.reject(new Error('not yet')) }
    let target: Pick<KafkaProducer, 'send'> = refusing
    await relay('successor', { send: (facts) => target.send(facts) })
    for (const { shard, epoch } of await leases()) expect(epoch).toBe(oldEpochs.get(shard)! + 1)

    gate.resolve()
    const facts = await everythingOnKafka()
    await eventually(() => facts.length >= 60)
    const { rows } = await service.database.worker.query<{ event_id: string }>('SELECT event_id FROM outbox')
    const eventIds = rows.map((row) => row.event_id)
    expect(await markPublished(service.database.worker, 'zombie', oldEpochs, eventIds)).toBe(0)
    expect(await unpublished()).toBe(60)

    target = producer
    await eventually(async () => (await unpublished()) === 0)
    await eventually(() => facts.length >= 120)
    const arrivals = firstArrivals(facts)
    for (const id of ids) expect(arrivals.get(id)).toEqual([1, 2, 3])
  })

  test('hands its shards over when it stops, after publishing what is there', async () => {
    await setUp()
    const first = await relay('a')
    await announce(service.transact, 5, 2)
    await first.stop()
    expect(await unpublished()).toBe(0)
    const { rows } = await service.database.worker.query('SELECT FROM shard_lease WHERE until IS NOT NULL')
    expect(rows).toEqual([])
    await relay('b')
    await announce(service.transact, 5, 2)
    await eventually(async () => (await unpublished()) === 0)
  })

  test('of the first replica, which holds every shard, sends at once what another one commits', async () => {
    await setUp()
    const sentAt = new Map<string, number>()
    await relay('holder', {
      async send(facts) {
        for (const { key } of facts) sentAt.set(key, performance.now())
        await producer.send([...facts])
      },
    })
    const transact = createTransact(service.database, await relay('bystander'))
    const usualWait = async () => {
      const waits: number[] = []
      for (let turn = 0; turn < 7; turn++) {
        const id = randomUUID()
        await transact(tenant, async (tx) => tx.publish(sampleFact(id, 1)))
        const committedAt = performance.now()
        await eventually(() => sentAt.has(id))
        waits.push(sentAt.get(id)! - committedAt)
        await eventually(async () => (await unpublished()) === 0)
        await delay(LONGER_THAN_LINGER_MS)
      }
      return waits.toSorted((a, b) => a - b)[3]
    }
    // The poll of a second would bring half of them later than this, in whichever moment the machine is quiet.
    await eventually(async () => expect(await usualWait()).toBeLessThan(100))
  })

  test('reads facts of 1 MiB by eights, however many wait, and sends all of them in order', async () => {
    await setUp()
    const ids = Array.from({ length: 4 }, () => randomUUID())
    for (let version = 1; version <= 6; version++)
      for (const id of ids)
        await service.transact(tenant, async (tx) => {
          tx.publish(sampleFact(id, version, Buffer.alloc(1024 * 1024, version)))
        })
    const sent: FactMessage[][] = []
    const running = await relay('a', {
      send: async (facts) => void sent.push([...facts]),
    })
    await eventually(async () => (await unpublished()) === 0)
    await running.stop()
    expect(Math.max(...sent.map(({ length }) => length))).toBeLessThanOrEqual(8)
    expect(firstArrivals(sent.flat())).toEqual(new Map(ids.map((id) => [id, [1, 2, 3, 4, 5, 6]])))
  })

  test('parks a fact that Kafka refuses for good, and its shard goes on', async () => {
    await setUp()
    await relay('a')
    const huge = randomUUID()
    await service.transact(tenant, async (tx) => {
      tx.publish(sampleFact(huge, 1, Buffer.alloc(2 * 1024 * 1024)))
    })
    const [small] = await announce(service.transact, 50, 1)
    const state = async (id: string) =>
      (
        await service.database.worker.query(
          'SELECT published_at IS NOT NULL AS published, parked_at IS NOT NULL AS parked FROM outbox WHERE aggregate_id = $1',
          [id],
        )
      ).rows[0]
    await eventually(async () => expect(await state(huge)).toEqual({ published: false, parked: true }))
    await eventually(async () => (await unpublished()) === 1)
    expect(await state(small!)).toEqual({ published: true, parked: false })
    const shown = await renderMetrics()
    expect(shown).toContain(`outbox_parked{source="parcel",topic="${topic}"} 1`)
    expect(shown).toContain(`outbox_parked_total{source="parcel",topic="${topic}"} 1`)
  })

  test('sends what it had parked once an operator says so, and counts it as parked no more', async () => {
    await setUp()
    let refuses = true
    await relay('a', {
      async send(facts) {
        const [fact] = facts
        if (refuses && fact) throw new TooLargeError(fact, new Error('the broker takes less'))
        await producer.send([...facts])
      },
    })
    const [id] = await announce(service.transact, 1, 2)
    const parked = () => parkedFacts(service.database.worker)
    await eventually(async () => expect(await parked()).toHaveLength(2))
    refuses = false
    const { database, transact } = service
    const [first] = await parked()
    const printed: object[] = []
    const code = await replayParkedCommand(
      { database, transact, consumers: [], context: {} },
      [first!.event_id],
      (line) => printed.push(line),
    )
    expect([code, printed]).toEqual([0, [{ parked_by: 'relay', aggregate_id: id, replayed: 2 }]])
    const facts = await everythingOnKafka()
    await eventually(() => expect(firstArrivals(facts)).toEqual(new Map([[id, [1, 2]]])))
    expect(await parked()).toEqual([])
  })
})

test('the sweep deletes what was published 7 days ago, nothing that is still to be published, and nothing once it is stopped', async () => {
  await setUp()
  const running = await relay('a')
  const [published] = await announce(service.transact, 1, 2)
  await eventually(async () => (await unpublished()) === 0)
  await running.stop()
  const [waiting] = await announce(service.transact, 1, 2)
  const kept = async () =>
    (
      await service.database.worker.query<{ aggregate_id: string }>('SELECT DISTINCT aggregate_id FROM outbox')
    ).rows.map((row) => row.aggregate_id)
  await sweep(service.database.worker, MACHINERY)
  expect(new Set(await kept())).toEqual(new Set([published, waiting]))
  await service.dev.shiftClock(7 * 24 * 3_600_000 + 1_000)
  await sweep(service.database.worker, MACHINERY, AbortSignal.abort())
  expect(new Set(await kept())).toEqual(new Set([published, waiting]))
  await sweep(service.database.worker, MACHINERY)
  expect(await kept()).toEqual([waiting])
})

async function asOwner(text: string): Promise<pg.Client> {
  const owner = new pg.Client({ connectionString: service.dev.ownerUrl })
  await owner.connect()
  closing.push(() => owner.end())
  await owner.query(text)
  return owner
}

test('a table that is locked keeps its expired rows and holds up no other; a scrape shows for how long they are late', async () => {
  await setUp()
  const running = await relay('a')
  await announce(service.transact, 1, 2)
  await eventually(async () => (await unpublished()) === 0)
  const { worker } = service.database
  await worker.query(`INSERT INTO inbox VALUES ('old', gen_random_uuid(), clock_timestamp() - interval '31 days')`)
  await service.dev.shiftClock(8 * 24 * 3_600_000)
  const holder = await asOwner('BEGIN; LOCK TABLE outbox IN SHARE MODE')
  const left = async (table: string) =>
    (await worker.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)).rows[0]!.n
  await sweep(worker, MACHINERY)
  expect([await left('outbox'), await left('inbox')]).toEqual([2, 0])
  const late = /^expired_oldest_seconds\{.*table="outbox".*\} (\d+)/m.exec(await renderMetrics())?.[1]
  expect(Number(late) / 3_600).toBeCloseTo(24, 0)
  await holder.query('COMMIT')
  await running.stop()
  await sweep(worker, MACHINERY)
  expect(await left('outbox')).toBe(0)
})

test('after twelve days of coming and going a sweep that finds nothing reads less than 20 pages of a table', async () => {
  await setUp()
  const { worker } = service.database
  await service.dev.fill(`INSERT INTO inbox SELECT 'a', gen_random_uuid(), clock_timestamp() - n * interval '0.1 second'
                            FROM generate_series(1, 200000) AS n`)
  for (let day = 1; day <= 12; day++) {
    await worker.query(`UPDATE inbox SET received_at = received_at - interval '31 days' WHERE ctid IN (
                          SELECT ctid FROM inbox ORDER BY received_at LIMIT 10000)`)
    await sweep(worker, MACHINERY)
    await worker.query(`INSERT INTO inbox SELECT 'a', gen_random_uuid() FROM generate_series(1, 10000)`)
  }
  await vacuum(service.dev.ownerUrl, 'inbox')
  const oldest = `SELECT ctid FROM inbox
    WHERE received_at < (SELECT clock_timestamp() - interval '30 days') ORDER BY received_at LIMIT 5000`
  expect([await explain(worker, oldest)].filter(({ blocks }) => blocks >= 20)).toEqual([])
})

test('each scrape shows how far the relay is behind', async () => {
  await setUp()
  await relay('a', { send: async () => Promise.reject(new Error('not yet')) })
  await announce(service.transact, 3, 1)
  const text = await renderMetrics()
  expect(text).toMatch(/^outbox_unpublished\{.*source="parcel".*\} 3$/m)
  expect(text).toMatch(/^outbox_lag_seconds\{.*source="parcel".*\} [\d.]+$/m)
})

describe('while Kafka is not reachable', () => {
  test('facts wait in the outbox, and all are published in order once it is back', async () => {
    await setUp()
    const proxy = createServer()
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const { port } = proxy.address() as { port: number }
    proxy.close()
    await once(proxy, 'close')
    const cutOff = kafkaProducer({ brokers: [`127.0.0.1:${port}`], clientId: 'cut-off' })
    closing.push(() => cutOff.stop())
    const attempts: number[] = []
    await relay('a', {
      async send(facts) {
        attempts.push(facts.length)
        await cutOff.send(facts)
      },
    })
    const ids = await announce(service.transact, 10, 3)
    await eventually(() => attempts.length >= 2)
    expect(await unpublished()).toBe(30)

    const back = forward(port, brokers[0]!)
    closing.push(() => back.close())
    await eventually(async () => (await unpublished()) === 0)
    const facts = await everythingOnKafka()
    await eventually(() => firstArrivals(facts).size === 10)
    for (const id of ids) await eventually(() => expect(firstArrivals(facts).get(id)).toEqual([1, 2, 3]))
  })
})

function forward(port: number, target: string): Server {
  const [host, targetPort] = target.split(':') as [string, string]
  const server = createServer((socket) => {
    const upstream = dial(Number(targetPort), host)
    socket.pipe(upstream).pipe(socket)
    for (const end of [socket, upstream]) end.on('error', () => undefined)
  })
  return server.listen(port, '127.0.0.1')
}

describe('kill -9 of relays under load', () => {
  test('every committed fact takes effect exactly once, per aggregate in order', async () => {
    await setUp()
    const children: ChildProcess[] = []
    let holder: string | undefined
    closing.push(() => children.map((child) => child.kill('SIGKILL')))
    const effects = consumer({
      name: 'effects',
      of: ['ingestion.hook_received'],
      batch: true,
      async handle(facts, tx) {
        for (const fact of facts)
          await tx.sql('INSERT INTO effect (event_id, aggregate_id, version) VALUES ($1, $2, $3)', [
            fact.id,
            fact.aggregateId,
            fact.aggregateVersion,
          ])
      },
    })
    const running = startConsumers({
      group: `${topic}-effects`,
      brokers,
      topicPrefix: topic.slice(0, topic.indexOf('svc.')),
      database: service.database,
      transact: service.transact,
      consumers: [effects],
      context: {},
    })
    await running.start()
    closing.push(() => running.stop())

    // A restarted replica takes over from itself at once, another one when the lease has run out.
    for (const instance of ['a', 'a', 'b', 'b', 'a']) {
      if (instance !== holder) await expireLeases()
      holder = instance
      const child = await spawnRelay(instance)
      children.push(child)
      const before = await unpublished()
      await announce(service.transact, 100, 5)
      await eventually(async () => (await unpublished()) < before + 500)
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await expireLeases()
    await relay('last')
    await eventually(async () => (await unpublished()) === 0)
    const outcome = async () =>
      (
        await service.database.worker.query<{ effects: number; events: number; disordered: number }>(`
        SELECT count(*) AS effects, count(DISTINCT event_id) AS events, count(*) FILTER (WHERE version <= before) AS disordered
          FROM (SELECT *, lag(version) OVER (PARTITION BY aggregate_id ORDER BY seq) AS before FROM effect) AS e`)
      ).rows[0]
    await eventually(async () => expect(await outcome()).toEqual({ effects: 2500, events: 2500, disordered: 0 }))
  })
})

async function spawnRelay(instance: string): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--conditions=source', fileURLToPath(new URL('relay-child.ts', import.meta.url))],
    {
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        DATABASE_URL: service.dev.url,
        WORKER_URL: service.dev.workerUrl,
        TEST_KAFKA_BROKERS: brokers.join(','),
        TOPIC: topic,
        INSTANCE: instance,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  await once(child.stdout!, 'data')
  return child
}
