import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { outboxRelay } from '@svc/facts'
import type { FactMessage, KafkaProducer } from '@svc/kafka'
import type { Worker } from '@svc/lifecycle'
import { eventually } from '@svc/testing'
import { parcelService, tenant } from '../../transact/test/parcel-service.ts'
import { readPending } from '../src/outbox-rows.ts'

/** Of one read; a backlog is more than that. */
const PAGE = 2_000
const AGGREGATES = 45

let service: Awaited<ReturnType<typeof parcelService>>
const relays: Worker[] = []

beforeEach(async () => {
  service = await parcelService()
})

afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()))
  await service.close()
})

async function relay(instance: string, send: KafkaProducer['send']): Promise<Worker> {
  const started = outboxRelay({
    database: service.database,
    producer: { send },
    topic: 'svc.ingestion.v1',
    source: 'parcel',
    instance,
    sweepIntervalMs: 600_000,
  })
  relays.push(started)
  await started.start()
  return started
}

/** So many facts, version after version of every aggregate: each of them has facts in every page. */
const backlog = (facts: number) =>
  service.database.worker.query(
    `INSERT INTO outbox (event_id, shard, aggregate_type, aggregate_id, aggregate_version, merchant_id, is_test, type, payload)
     SELECT gen_random_uuid(), outbox_shard(id), 'hook', id, version, $2, false, 'ingestion.hook_received', 'moved'
       FROM (SELECT md5(n % $3::int || 'aggregate')::uuid AS id, 1 + n / $3::int AS version
               FROM generate_series(0, $1::int - 1) AS n) AS made`,
    [facts, tenant.merchantId, AGGREGATES],
  )

const unpublished = async () =>
  (await service.database.worker.query<{ n: number }>('SELECT count(*) AS n FROM outbox WHERE published_at IS NULL'))
    .rows[0]?.n

/** Whether every version of every aggregate came, and came first after the one before it. */
function expectInOrder(facts: readonly FactMessage[], count: number): void {
  const seen = new Map<string, number>()
  for (const { key, headers } of facts) {
    const version = Number(headers['ce_aggregateversion'])
    const before = seen.get(key) ?? 0
    expect(version).toBeLessThanOrEqual(before + 1)
    seen.set(key, Math.max(version, before))
  }
  expect([...seen.values()].reduce((sum, version) => sum + version, 0)).toBe(count)
}

test('where the end of a page does not leave, nothing of the next one, which is read by then, leaves before it', async () => {
  await backlog(2 * PAGE + 500)
  const sent: FactMessage[] = []
  let requests = 0
  await relay('a', async (facts) => {
    requests += 1
    if (requests === 4 || requests === 9) throw new Error('the broker is gone')
    sent.push(...facts)
  })
  await eventually(async () => expect(await unpublished()).toBe(0))
  expect(requests).toBeGreaterThan(9)
  expectInOrder(sent, 2 * PAGE + 500)
})

test('a relay that froze while it sent a page leaves the page that it had read ahead to its successor', async () => {
  await backlog(2 * PAGE)
  const gate = Promise.withResolvers<void>()
  const isFrozen = Promise.withResolvers<void>()
  const ofFrozen: FactMessage[] = []
  await relay('frozen', async (facts) => {
    ofFrozen.push(...facts)
    if (ofFrozen.length === PAGE) isFrozen.resolve()
    if (ofFrozen.length >= PAGE) await gate.promise
  })
  await isFrozen.promise
  await service.database.worker.query('UPDATE shard_lease SET until = clock_timestamp()')
  const ofSuccessor: FactMessage[] = []
  const successor = await relay('successor', async (facts) => void ofSuccessor.push(...facts))
  await eventually(async () => expect(await unpublished()).toBe(0))
  await successor.stop()
  gate.resolve()
  await service.database.worker.query(`UPDATE outbox SET published_at = NULL WHERE aggregate_version = 1`)
  await eventually(async () => expect(await unpublished()).toBe(0))
  expect(ofFrozen).toHaveLength(PAGE + AGGREGATES)
  expectInOrder([...ofFrozen.slice(0, PAGE), ...ofSuccessor], 2 * PAGE)
})

test('what is under way is not read again, nor passed over: the next page is the next one', async () => {
  await backlog(2 * PAGE)
  const { worker } = service.database
  const shards = Array.from({ length: 16 }, (_, shard) => shard)
  const first = await readPending(worker, shards)
  const second = await readPending(worker, shards, first.rows)
  expect([first.isLast, second.isLast]).toEqual([false, false])
  const { rows } = await worker.query<{ event_id: string }>('SELECT event_id FROM outbox ORDER BY seq')
  expect([...first.rows, ...second.rows].map((row) => row.event_id)).toEqual(rows.map((row) => row.event_id))
})
