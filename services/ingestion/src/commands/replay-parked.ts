import { openDatabase } from '@svc/database'
import { createLogger } from '@svc/logging'
import { createTransact, replayParkedCommand } from '@svc/outbox'
import { createSecretBox } from '@svc/sealing'
import { channelsOf } from '../channels/index.ts'
import { refusals } from '../channels/refusals.ts'
import { readConfig } from '../config.ts'
import { consumers } from '../consumers/index.ts'
import type { Context } from '../context.ts'
import { migrations } from '../db/migrations/index.ts'

/** Lists the parked facts of this service; with an event id or --all replays them. */
const config = readConfig()
const { ingestionDatabaseUrl: url, ingestionWorkerUrl: workerUrl } = config
const database = await openDatabase({ name: 'ingestion', url, workerUrl, entities: [], migrations, poolSize: 1 })
try {
  const logger = createLogger('ingestion')
  const relay = { wake: () => undefined }
  const transact = createTransact(database, relay)
  const context: Context = {
    config,
    database,
    transact,
    relay,
    secretBox: createSecretBox(config.keyEncryptionKey),
    channels: channelsOf(config),
    refusals: refusals(logger),
    logger,
  }
  process.exitCode = await replayParkedCommand({ database, transact, consumers, context })
} finally {
  await database.close()
}
