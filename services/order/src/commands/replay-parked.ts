import { openDatabase } from '@svc/database'
import { createTransact, replayParkedCommand } from '@svc/outbox'
import { readConfig } from '../config.ts'
import { migrations } from '../db/migrations/index.ts'

/** Lists the parked facts of this service; with an event id or --all replays them. The service consumes none. */
const { orderDatabaseUrl: url, orderWorkerUrl: workerUrl } = readConfig()
const database = await openDatabase({ name: 'order', url, workerUrl, entities: [], migrations, poolSize: 1 })
try {
  const transact = createTransact(database, { wake: () => undefined })
  process.exitCode = await replayParkedCommand({ database, transact, consumers: [], context: undefined })
} finally {
  await database.close()
}
