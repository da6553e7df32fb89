import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { encodeFact } from '@svc/contracts/facts'
import {
  type Consumer,
  consumer,
  outboxRelay,
  type ReceivedFact,
  type RunningConsumers,
  startConsumers,
} from '@svc/facts'
import { type KafkaProducer, kafkaProducer } from '@svc/kafka'
import { renderMetrics } from '@svc/telemetry'
import { eventually, testServers, uniquePrefix } from '@svc/testing'
import { eventIdOf, type Tx } from '@svc/transact'
import pg from 'pg'
import { announce, parcelService, sampleFact, samplePayload, tenant } from '../../transact/test/parcel-service.ts'
import { park } from '../src/park.ts'
import { replayParked } from '../src/replay-parked.ts'

interface Faults {
  /** Facts that nobody can handle at present. */
  poisonous: Set<string>
  /** Facts whose statements take too long at present. */
  slow: Set<string>
  tries: Map<string, number>
}

let service: Awaited<ReturnType<typeof parcelService>>
let producer: KafkaProducer
let prefix: string
let relay: ReturnType<typeof outboxRelay>
let running: RunningConsumers
let transactions = 0
const faults: Faults = { poisonous: new Set(), slow: new Set(), tries: new Map() }

async function applyFact(
  fact: ReceivedFact<'ingestion.hook_received'>,
  sql: (text: string, params: unknown[]) => Promise<unknown>,
) {
  const at = `${fact.aggregateId}:${fact.aggregateVersion}`
  faults.tries.set(at, (faults.tries.get(at) ?? 0) + 1)
  await sql('INSERT INTO effect (event_id, aggregate_id, version) VALUES ($1, $2, $3)', [
    fact.id,
    fact.aggregateId,
    fact.aggregateVersion,
  ])
  if (faults.slow.has(at)) throw Object.assign(new Error('canceling statement'), { code: '57014' })
  if (faults.poisonous.has(at)) throw new Error(`cannot handle ${at}`)
}

const of = ['ingestion.hook_received'] as const

const consumers: Record<string, Consumer<Faults>> = {
  'one by one': consumer({
    name: 'singly',
    of,
    handle: (fact, tx) => applyFact(fact, tx.sql),
  }),
  'in batches': consumer({
    name: 'batched',
    of,
    batch: true,
    async handle(facts, tx) {
      for (const fact of facts) await applyFact(fact, tx.sql)
    },
  }),
}

beforeAll(async () => {
  const brokers = (await testServers()).kafkaBrokers
  service = await parcelService()
  prefix = uniquePrefix()
  producer = kafkaProducer({ brokers, clientId: 'consumers-test', topics: [`${prefix}svc.ingestion.v1`] })
  relay = outboxRelay({
    database: service.database,
    producer,
    topic: `${prefix}svc.ingestion.v1`,
    source: 'parcel',
    instance: 'a',
    sweepIntervalMs: 600_000,
  })
  await relay.start()
})

afterAll(async () => {
  await running?.stop()
  await relay?.stop()
  await producer?.stop()
  await service?.close()
})

async function startOne(consumerOfTest: Consumer<Faults>): Promise<void> {
  await running?.stop()
  await service.database.worker.query('DELETE FROM inbox')
  await start(consumerOfTest)
}

async function start(consumerOfTest: Consumer<Faults>): Promise<void> {
  const brokers = (await testServers()).kafkaBrokers
  running = startConsumers({
    group: `${prefix}${consumerOfTest.name}`,
    brokers,
    topicPrefix: prefix,
    database: service.database,
    transact: (scope, work) => {
      transactions += 1
      return service.transact(scope, async (tx) => {
        await tx.sql("SET LOCAL lock_timeout = '100ms'")
        return work(tx)
      })
    },
    consumers: [consumerOfTest],
    context: faults,
  })
  await running.start()
}

/** Versions of the aggregate in the order of their committed effects. */
async function effectsOn(aggregateId: string): Promise<number[]> {
  const { rows } = await service.database.worker.query<{ version: number }>(
    'SELECT version FROM effect WHERE aggregate_id = $1 ORDER BY seq',
    [aggregateId],
  )
  return rows.map((row) => row.version)
}

async function parkedOf(aggregateId: string) {
  const { rows } = await service.database.worker.query<{ event_id: string; error: string | null; attempts: number }>(
    'SELECT event_id, error, attempts FROM parked WHERE aggregate_id = $1 AND resolved_at IS NULL ORDER BY seq',
    [aggregateId],
  )
  return rows
}

describe.each(Object.entries(consumers))('facts consumed %s', (_how, consumerOfTest) => {
  beforeAll(() => startOne(consumerOfTest))
  beforeEach(() => {
    faults.poisonous.clear()
    faults.slow.clear()
    faults.tries.clear()
  })

  test('a poisonous fact parks after five tries, the later ones of its aggregate behind it, and all others go on', async () => {
    const [sick, ...healthy] = Array.from({ length: 8 }, () => randomUUID()) as [string, ...string[]]
    faults.poisonous.add(`${sick}:2`)
    for (let version = 1; version <= 4; version++)
      await service.transact(tenant, async (tx) => {
        for (const id of [sick, ...healthy]) tx.publish(sampleFact(id, version))
      })
    for (const id of healthy) await eventually(async () => expect(await effectsOn(id)).toEqual([1, 2, 3, 4]))
    await eventually(async () => expect(await parkedOf(sick)).toHaveLength(3))
    expect(await parkedOf(sick)).toEqual([
      { event_id: expect.any(String), error: expect.stringContaining('cannot handle'), attempts: 5 },
      { event_id: expect.any(String), error: null, attempts: 0 },
      { event_id: expect.any(String), error: null, attempts: 0 },
    ])
    expect(await effectsOn(sick)).toEqual([1])
  })

  test('a replay handles what is parked in order, and then the aggregate flows again', async () => {
    const id = randomUUID()
    faults.poisonous.add(`${id}:1`)
    for (let version = 1; version <= 3; version++)
      await service.transact(tenant, async (tx) => tx.publish(sampleFact(id, version)))
    await eventually(async () => expect(await parkedOf(id)).toHaveLength(3))
    const handling = { transact: service.transact, context: faults, consumer: consumerOfTest }

    await expect(replayParked(handling, id)).rejects.toThrow('cannot handle')
    expect(await parkedOf(id)).toHaveLength(3)
    expect(await effectsOn(id)).toEqual([])

    faults.poisonous.clear()
    expect(await replayParked(handling, id)).toBe(3)
    expect(await effectsOn(id)).toEqual([1, 2, 3])
    await service.transact(tenant, async (tx) => tx.publish(sampleFact(id, 4)))
    await eventually(async () => expect(await effectsOn(id)).toEqual([1, 2, 3, 4]))
    expect(await parkedOf(id)).toEqual([])
    expect(await replayParked(handling, id)).toBe(0)
  })

  test('a fact that is delivered again has no second effect', async () => {
    const [id] = await announce(service.transact, 1, 3)
    await eventually(async () => expect(await effectsOn(id!)).toEqual([1, 2, 3]))
    const handled = faults.tries.size
    await service.database.worker.query('UPDATE outbox SET published_at = NULL WHERE aggregate_id = $1', [id])
    const [marker] = await announce(service.transact, 1, 1)
    await eventually(async () => expect(await effectsOn(marker!)).toEqual([1]))
    await eventually(async () => expect(await running.lag()).toBe(0))
    expect(await effectsOn(id!)).toEqual([1, 2, 3])
    expect(faults.tries.size).toBe(handled + 1)
  })

  test.each(['COMMIT', 'ROLLBACK'])(
    'facts that a frozen replica has in hand wait for its %s, are never parked and take effect once',
    async (end) => {
      const id = randomUUID()
      const frozen = await frozenReplica(consumerOfTest.name, id)
      try {
        await service.transact(tenant, async (tx) => {
          for (const version of [1, 2]) tx.publish(sampleFact(id, version))
        })
        const before = transactions
        // More than the tries that a fact has, together and alone.
        await eventually(() => transactions >= before + 8)
      } finally {
        await frozen.wake(end)
      }
      await eventually(async () => expect(await effectsOn(id)).toEqual([1, 2]))
      await eventually(async () => expect(await running.lag()).toBe(0))
      expect([await effectsOn(id), await parkedOf(id)]).toEqual([[1, 2], []])
    },
  )

  test('a statement that takes too long is tried again for longer than a lock can be held, and parks nothing', async () => {
    const id = randomUUID()
    faults.slow.add(`${id}:1`)
    await service.transact(tenant, async (tx) => tx.publish(sampleFact(id, 1)))
    await eventually(() => (faults.tries.get(`${id}:1`) ?? 0) > 5)
    faults.slow.clear()
    await eventually(async () => expect(await effectsOn(id)).toEqual([1]))
    expect(await parkedOf(id)).toEqual([])
  })

  test('a fact that was parked and yet handled is resolved by a replay, without a second effect', async () => {
    const [id] = await announce(service.transact, 1, 1)
    await eventually(async () => expect(await effectsOn(id!)).toEqual([1]))
    await service.database.worker.query(
      `INSERT INTO parked (consumer, aggregate_id, event_id, headers, payload, error, attempts)
       SELECT $2, aggregate_id, event_id, '{}', payload, 'lock timeout', 5 FROM outbox WHERE aggregate_id = $1`,
      [id, consumerOfTest.name],
    )
    const handling = { transact: service.transact, context: faults, consumer: consumerOfTest }
    expect(await replayParked(handling, id!)).toBe(1)
    expect([await effectsOn(id!), await parkedOf(id!)]).toEqual([[1], []])
  })

  test('a fact that another replica has handled meanwhile is not parked', async () => {
    const [id] = await announce(service.transact, 1, 1)
    await eventually(async () => expect(await effectsOn(id!)).toEqual([1]))
    const { payload } = sampleFact(id!, 1)
    const late = {
      topic: `${prefix}svc.ingestion.v1`,
      key: id!,
      payload: encodeFact('ingestion.hook_received', payload),
      headers: { ce_id: eventIdOf(id!, 'ingestion.hook_received', 1) },
    }
    expect(await park(service.transact, consumerOfTest.name, late, new Error('too late'), 5)).toBe(false)
    expect(await parkedOf(id!)).toEqual([])
  })

  test('lag is 0 once every fact has been handled, and the last poll is recent', async () => {
    await announce(service.transact, 10, 1)
    await eventually(async () => expect(await running.lag()).toBe(0))
    expect(Date.now() - running.lastPollAt()).toBeLessThan(10_000)
  })
})

test('a message that is no fact is passed over and holds up nothing', async () => {
  await producer.send([{ topic: `${prefix}svc.ingestion.v1`, key: 'junk', payload: Buffer.from('junk'), headers: {} }])
  const [id] = await announce(service.transact, 1, 2)
  await eventually(async () => expect(await effectsOn(id!)).toEqual([1, 2]))
  await eventually(async () => expect(await running.lag()).toBe(0))
})

test('an outage of the database parks nothing: the facts are handled when it is back', async () => {
  const id = randomUUID()
  const outage = await databaseOutage(new URL(service.dev.url).pathname.slice(1))
  try {
    await producer.send(
      [1, 2, 3].map((version) => ({
        topic: `${prefix}svc.ingestion.v1`,
        key: id,
        payload: encodeFact('ingestion.hook_received', samplePayload()),
        headers: {
          ce_id: randomUUID(),
          ce_type: 'ingestion.hook_received',
          ce_time: new Date(0).toISOString(),
          ce_aggregateversion: String(version),
          ce_istest: 'false',
        },
      })),
    )
    await eventually(async () => (await running.lag()) === 3)
    const before = transactions
    await eventually(() => transactions >= before + 3)
  } finally {
    await outage.end()
  }
  await eventually(async () => expect(await effectsOn(id)).toEqual([1, 2, 3]))
  expect(await parkedOf(id)).toEqual([])
})

test('a group that gathers handles a fact that comes alone at once, leaves later ones until its time is over, and a stop does not wait for that', async () => {
  const inBatches = { name: 'batched', of, batch: true } as const
  const handle = async (facts: Array<ReceivedFact<'ingestion.hook_received'>>, tx: Pick<Tx, 'sql'>) => {
    for (const fact of facts) await applyFact(fact, tx.sql)
  }
  await startOne(consumer({ ...inBatches, gatherMs: 3_600_000, handle }))
  const [first] = await announce(service.transact, 1, 1)
  await eventually(async () => expect(await effectsOn(first!)).toEqual([1]))
  const [later] = await announce(service.transact, 1, 2)
  await eventually(async () => {
    const text = 'SELECT FROM outbox WHERE aggregate_id = $1 AND published_at IS NULL'
    expect((await service.database.worker.query(text, [later])).rowCount).toBe(0)
  })
  await running.stop()
  expect(await effectsOn(later!)).toEqual([])
  await start(consumer({ ...inBatches, handle }))
  await eventually(async () => expect(await effectsOn(later!)).toEqual([1, 2]))
  expect(await effectsOn(first!)).toEqual([1])
})

test('a process shows what each consumer of its groups has set aside, once, and 0 of one that has nothing', async () => {
  const brokers = (await testServers()).kafkaBrokers
  await startOne(consumers['one by one']!)
  const idle = consumer({ name: 'idle', of, handle: async () => {} })
  const group = `${prefix}idle`
  const { database, transact } = service
  const other = startConsumers({
    group,
    brokers,
    topicPrefix: prefix,
    database,
    transact,
    consumers: [idle],
    context: {},
  })
  await other.start()
  const id = randomUUID()
  faults.poisonous.add(`${id}:1`)
  await service.transact(tenant, async (tx) => tx.publish(sampleFact(id, 1)))
  await eventually(async () => expect(await parkedOf(id)).toHaveLength(1))
  const shown = async (name: string) =>
    [...(await renderMetrics()).matchAll(new RegExp(`^consumer_parked\\{consumer="${name}"\\} (\\d+)$`, 'gm'))].map(
      ([, count]) => Number(count),
    )
  expect(await shown('idle')).toEqual([0])
  expect(await shown('singly')).toEqual([expect.any(Number)])
  expect((await shown('singly'))[0]).toBeGreaterThan(0)
  await other.stop()
})

/** A replica that stopped after it had handled the first two facts of the aggregate, in a transaction that is still open. */
async function frozenReplica(consumerName: string, id: string) {
  const client = new pg.Client({ connectionString: service.dev.workerUrl })
  await client.connect()
  await client.query('SET idle_in_transaction_session_timeout = 0')
  await client.query('BEGIN')
  for (const version of [1, 2]) {
    const eventId = eventIdOf(id, 'ingestion.hook_received', version)
    await client.query('INSERT INTO inbox (consumer, event_id) VALUES ($1, $2)', [consumerName, eventId])
    await client.query('INSERT INTO effect (event_id, aggregate_id, version) VALUES ($1, $2, $3)', [
      eventId,
      id,
      version,
    ])
  }
  return {
    async wake(end: string) {
      await client.query(end)
      await client.end()
    },
  }
}

async function databaseOutage(name: string): Promise<{ end(): Promise<void> }> {
  const admin = new pg.Client({ connectionString: (await testServers()).databaseAdminUrl })
  await admin.connect()
  const allow = (allowed: boolean) =>
    admin.query(`ALTER DATABASE ${pg.escapeIdentifier(name)} ALLOW_CONNECTIONS ${allowed}`)
  await allow(false)
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
  return {
    async end() {
      await allow(true)
      await admin.end()
    },
  }
}
