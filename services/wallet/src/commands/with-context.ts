import { openDatabase } from '@svc/database'
import { createLogger } from '@svc/logging'
import { createTransact } from '@svc/outbox'
import { readConfig } from '../config.ts'
import type { Context } from '../context.ts'
import { migrations } from '../db/migrations/index.ts'
import { settlements } from '../db/settlements.ts'
import { paymentProvider } from '../peers/payment-provider.ts'
import { cachedPlans } from '../peers/plans.ts'

/** Does the work of a command with what the service's use cases depend on. Its facts and calls leave by the running service. */
export async function withContext<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
  const config = readConfig()
  const { walletDatabaseUrl: url, walletWorkerUrl: workerUrl } = config
  const database = await openDatabase({ name: 'wallet', url, workerUrl, entities: [], migrations, poolSize: 1 })
  const asleep = { wake: () => undefined }
  const payments = paymentProvider(config)
  try {
    return await work({
      config,
      database,
      transact: createTransact(database, asleep),
      settlements: settlements(database.worker),
      relay: asleep,
      payments,
      plans: cachedPlans(payments),
      merchants: null,
      intents: asleep,
      failpoint: () => undefined,
      logger: createLogger('wallet'),
    })
  } finally {
    await payments?.close()
    await database.close()
  }
}
