import { openDatabase } from '@svc/database'
import { createLogger } from '@svc/logging'
import { createTransact } from '@svc/outbox'
import { readConfig } from '../config.ts'
import { requestAbort } from '../db/commission-intents.ts'
import { migrations } from '../db/migrations/index.ts'

/**
 * Gives up the open settlement of the order that is named: the workers of the service ask the wallet that it never takes
 * effect. Where it had taken effect the order enters its status after all.
 */
const logger = createLogger('abort-settlement')
const orderId = process.argv[2] ?? ''
const { orderDatabaseUrl: url, orderWorkerUrl: workerUrl } = readConfig()
const database = await openDatabase({ name: 'order', url, workerUrl, entities: [], migrations, poolSize: 1 })
try {
  const transact = createTransact(database, { wake: () => undefined })
  const intentId = await transact('every tenant', (tx) => requestAbort(tx, orderId))
  if (intentId) logger.info({ order_id: orderId, intent: intentId }, 'the settlement will be given up')
  else logger.error({ order_id: orderId }, 'the order has no open settlement')
  process.exitCode = intentId ? 0 : 1
} finally {
  await database.close()
}
