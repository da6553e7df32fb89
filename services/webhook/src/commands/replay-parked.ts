import { openDatabase } from '@svc/database'
import { createTransact, replayParkedCommand } from '@svc/outbox'
import { createSecretBox } from '@svc/sealing'
import { readConfig } from '../config.ts'
import { consumers } from '../consumers/index.ts'
import type { Context } from '../context.ts'
import { migrations } from '../db/migrations/index.ts'
import { createOutboundHttp } from '../peers/outbound-http.ts'

/** Lists the parked facts of this service; with an event id or --all replays them. The running service delivers. */
const config = readConfig()
const { webhookDatabaseUrl: url, webhookWorkerUrl: workerUrl } = config
const database = await openDatabase({ name: 'webhook', url, workerUrl, entities: [], migrations, poolSize: 1 })
const http = createOutboundHttp({ allowLocal: config.webhookAllowLocal })
try {
  const transact = createTransact(database, { wake: () => undefined })
  const secretBox = createSecretBox(config.keyEncryptionKey)
  const context: Context = { config, database, transact, secretBox, http, wakeDeliveries: () => undefined }
  process.exitCode = await replayParkedCommand({ database, transact, consumers, context })
} finally {
  await http.close()
  await database.close()
}
