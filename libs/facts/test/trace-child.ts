import { randomUUID } from 'node:crypto'
import { trace } from '@opentelemetry/api'
import { openDatabase } from '@svc/database'
import { consumer, outboxRelay, startConsumers } from '@svc/facts'
import { kafkaProducer } from '@svc/kafka'
import { createTransact } from '@svc/transact'
import { sampleFact } from '../../transact/test/parcel-service.ts'

/** A process with tracing that announces facts in two traces and consumes them; prints what its handlers saw. */
const { DATABASE_URL, WORKER_URL, PREFIX, TEST_KAFKA_BROKERS } = process.env as Record<string, string>
const brokers = TEST_KAFKA_BROKERS!.split(',')
const topic = `${PREFIX}svc.ingestion.v1`
const database = await openDatabase({
  name: 'outboxtest',
  url: DATABASE_URL!,
  workerUrl: WORKER_URL!,
  migrations: [],
})
const producer = kafkaProducer({ brokers, clientId: 'trace', topics: [topic] })
const relay = outboxRelay({ database, producer, topic, source: 'parcel', instance: 'trace', sweepIntervalMs: 600_000 })
const transact = createTransact(database, { wake: () => undefined })

const seen: object[] = []
const allSeen = Promise.withResolvers<void>()
const of = ['ingestion.hook_received'] as const
const handled = (how: string, name: string, traceparent: string | undefined) => {
  seen.push({ how, name, traceparent, active: trace.getActiveSpan()?.spanContext().traceId })
  if (seen.length === 4) allSeen.resolve()
}
const decoded = (bytes: Uint8Array) => Buffer.from(bytes).toString()
const consumers = startConsumers({
  group: `${PREFIX}trace`,
  brokers,
  topicPrefix: PREFIX!,
  database,
  transact,
  context: {},
  consumers: [
    consumer({
      name: 'singly',
      of,
      async handle(fact, tx) {
        await tx.sql('SELECT 1')
        handled('singly', decoded(fact.message.body), fact.traceparent)
      },
    }),
    consumer({
      name: 'batched',
      of,
      batch: true,
      async handle(facts) {
        for (const fact of facts) handled('batched', decoded(fact.message.body), fact.traceparent)
      },
    }),
  ],
})

const origins: Record<string, string> = {}
const merchantId = randomUUID()
const aggregateId = randomUUID()
for (const [index, name] of ['first', 'second'].entries())
  await trace.getTracer('test').startActiveSpan(name, async (span) => {
    origins[name] = span.spanContext().traceId
    await transact({ merchantId, isTest: false }, async (tx) => {
      tx.publish({ ...sampleFact(aggregateId, index + 1, Buffer.from(name)), merchantId })
    })
    span.end()
  })
// Both facts are there before the relay starts: they travel in one produce request.
await relay.start()
await consumers.start()
await allSeen.promise
await consumers.stop()
await relay.stop()
await producer.stop()
await database.close()
process.stdout.write(`${JSON.stringify({ origins, seen })}\n`)
