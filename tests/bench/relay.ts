import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deleteTopics, ensureTopics } from '@svc/kafka'
import { eventually, stopTestServers, testServers, uniquePrefix } from '@svc/testing'
import { merchantId, parcelService } from '../../libs/transact/test/parcel-service.ts'
import { platform, rounded, table } from './report.ts'

/**
 * Facts per second of one relay, a process of its own, that comes to a backlog; and its CPU for each. A fact is as large as
 * most are. Ends with 1 where it is slower than the goal.
 *
 *   node --conditions=source tests/bench/relay.ts [facts] [bytes of each]
 */
const [facts = 100_000, bytes = 800] = process.argv.slice(2).map(Number)
const GOAL_PER_SECOND = 20_000
const LIBRARY = join(import.meta.dirname, '../../libs/facts')

const { kafkaBrokers } = await testServers()
const service = await parcelService()
const topic = `${uniquePrefix()}svc.ingestion.v1`
await ensureTopics({ brokers: kafkaBrokers, topics: [topic] })
await service.database.worker.query(
  `INSERT INTO outbox (event_id, shard, aggregate_type, aggregate_id, aggregate_version, merchant_id, is_test, type, payload, headers)
   SELECT gen_random_uuid(), outbox_shard(id), 'hook', id, 1 + n / 10, $2, false, 'ingestion.hook_received', convert_to(repeat('x', $3), 'UTF8'),
          '{"traceparent":"00-11111111111111111111111111111111-2222222222222222-00"}'
     FROM (SELECT n, md5('aggregate ' || n % ($1::int / 10))::uuid AS id FROM generate_series(0, $1::int - 1) AS n) AS made`,
  [facts, merchantId, bytes],
)
const left = async () => {
  const { rows } = await service.database.worker.query<{ n: number; seconds: number }>(
    `SELECT count(*) FILTER (WHERE published_at IS NULL) AS n,
            extract(epoch FROM max(published_at) - min(published_at))::float8 AS seconds FROM outbox`,
  )
  return rows[0] ?? { n: facts, seconds: 0 }
}

const child = spawn(process.execPath, ['--conditions=source', 'test/relay-child.ts'], {
  cwd: LIBRARY,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    PATH: process.env['PATH'],
    LOG_LEVEL: 'error',
    DATABASE_URL: service.dev.url,
    WORKER_URL: service.dev.workerUrl,
    TOPIC: topic,
    INSTANCE: 'bench',
    TEST_KAFKA_BROKERS: kafkaBrokers.join(','),
  },
})
try {
  await eventually(async () => (await left()).n === 0, { timeoutMs: 600_000, intervalMs: 500 })
  const { seconds } = await left()
  // From user and system time, which count in hundredths of a second; its start included.
  const times = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const cpuMs = (Number(times[11]) + Number(times[12])) * 10
  console.log(platform())
  console.log(
    table(
      ['figure', 'value'],
      [
        ['facts/s of a backlog', rounded(facts / seconds)],
        ['CPU of the relay per fact, µs', rounded((cpuMs * 1000) / facts, 1)],
      ],
    ),
  )
  process.exitCode = facts / seconds >= GOAL_PER_SECOND ? 0 : 1
} finally {
  child.kill('SIGKILL')
  await once(child, 'exit')
  await deleteTopics(kafkaBrokers, topic)
  await service.close()
  await stopTestServers()
}
process.exit()
