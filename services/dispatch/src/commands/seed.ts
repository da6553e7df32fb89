import { text } from 'node:stream/consumers'
import { openDatabase } from '@svc/database'
import { createTransact } from '@svc/outbox'
import { readConfig } from '../config.ts'
import { migrations } from '../db/migrations/index.ts'
import { seedDemo, seedInput } from '../use-cases/seed/seed-demo.ts'

/** Makes the demonstration's area, prices and riders from JSON on standard input. A second run changes nothing. */
if (process.env.NODE_ENV === 'production') throw new Error('demonstration data has no place in production')
const input = seedInput.parse(JSON.parse(await text(process.stdin)))
const { dispatchDatabaseUrl: url, dispatchWorkerUrl: workerUrl } = readConfig()
const database = await openDatabase({ name: 'dispatch', url, workerUrl, entities: [], migrations, poolSize: 1 })
try {
  // Facts are published by the running service.
  await seedDemo({ transact: createTransact(database, { wake: () => undefined }) }, input)
} finally {
  await database.close()
}
