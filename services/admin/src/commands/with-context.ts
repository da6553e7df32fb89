import { openDatabase } from '@svc/database'
import { readConfig } from '../config.ts'
import type { Context } from '../context.ts'
import { createContext } from '../create-context.ts'
import { entities } from '../db/entities.ts'
import { migrations } from '../db/migrations/index.ts'
import { connectRedis } from '../peers/connect-redis.ts'

/** Runs a command with the service's environment and closes what it opened. Facts are published by the running service. */
export async function withContext<T>(work: (context: Context) => Promise<T>): Promise<T> {
  const config = readConfig()
  const database = await openDatabase({
    name: 'admin',
    url: config.adminDatabaseUrl,
    workerUrl: config.adminWorkerUrl,
    entities,
    migrations,
    poolSize: 2,
  })
  const redis = connectRedis(config.redisUrl)
  try {
    await redis.start?.()
    return await work(await createContext(config, { database, redis: redis.redis, relay: { wake: () => undefined } }))
  } finally {
    await redis.stop?.()
    await database.close()
  }
}
