import type { Database } from '@svc/database'
import { createTransact } from '@svc/outbox'
import type { Redis } from 'ioredis'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { createEpochs } from './peers/epochs.ts'
import { createPasswords } from './security/passwords.ts'
import { createSigningKeys } from './security/signing-keys.ts'
import { createKeyUse } from './workers/key-use.ts'

interface Connections {
  database: Database
  redis: Redis
  relay: { wake(): void }
}

/** What the use cases need, built from the configuration and open connections. */
export async function createContext(config: Config, { database, redis, relay }: Connections): Promise<Context> {
  return {
    config,
    database,
    transact: createTransact(database, relay),
    passwords: await createPasswords(config.passwordPepper),
    signingKeys: await createSigningKeys(config.tokenSigningJwk, config.tokenPreviousJwk),
    epochs: createEpochs(redis, config.redisPrefix),
    keyUse: createKeyUse(database),
  }
}
