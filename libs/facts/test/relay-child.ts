import { openDatabase } from '@svc/database'
import { outboxRelay } from '@svc/facts'
import { kafkaProducer } from '@svc/kafka'

/** A relay in a process of its own, to be killed. */
const { DATABASE_URL, WORKER_URL, TOPIC, INSTANCE, TEST_KAFKA_BROKERS } = process.env as Record<string, string>
const database = await openDatabase({
  name: 'outboxtest',
  url: DATABASE_URL!,
  workerUrl: WORKER_URL!,
  migrations: [],
})
const producer = kafkaProducer({ brokers: TEST_KAFKA_BROKERS!.split(','), clientId: 'relay-child' })
await outboxRelay({
  database,
  producer,
  topic: TOPIC!,
  source: 'parcel',
  instance: INSTANCE!,
  sweepIntervalMs: 600_000,
}).start()
process.stdout.write('started\n')
