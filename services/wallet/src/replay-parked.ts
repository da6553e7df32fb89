import { openDatabase } from '@svc/database'
import { createTransact, replayParkedCommand } from '@svc/outbox'
import { readConfig } from './config.ts'
import { consumers } from './consumers/index.ts'
import type { Context } from './context.ts'
import { migrations } from './db/migrations/index.ts'
import { settlements } from './db/settlements.ts'

/** Lists the parked facts of this service; with an event id or --all replays them. */
const config = readConfig()
const { walletDatabaseUrl: url, walletWorkerUrl: workerUrl } = config
const database = await openDatabase({ name: 'wallet', url, workerUrl, entities: [], migrations, poolSize: 1 })
try {
  const relay = { wake: () => undefined }
  const transact = createTransact(database, relay)
  const context: Context = { config, database, transact, settlements: settlements(database.worker), relay }
  process.exitCode = await replayParkedCommand({ database, transact, consumers, context })
} finally {
  await database.close()
}
