import { openDatabase } from '@svc/database'
import { createTransact, replayParkedCommand } from '@svc/outbox'
import { readConfig } from '../config.ts'
import { factConsumers } from '../consumers/index.ts'
import { migrations } from '../db/migrations/index.ts'

/** Lists the parked facts of this service; with an event id or --all replays them. Sockets are not told of the past. */
const config = readConfig()
const { dispatchDatabaseUrl: url, dispatchWorkerUrl: workerUrl } = config
const database = await openDatabase({ name: 'dispatch', url, workerUrl, entities: [], migrations, poolSize: 1 })
try {
  const transact = createTransact(database, { wake: () => undefined })
  const context = { config, realtime: { publish: () => undefined } }
  process.exitCode = await replayParkedCommand({ database, transact, consumers: factConsumers, context })
} finally {
  await database.close()
}
