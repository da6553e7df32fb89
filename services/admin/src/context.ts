import { clamdScanner, type Scanner } from '@svc/clamd'
import { type Database, SettledTotals, Totals } from '@svc/database'
import { intentWorker } from '@svc/intents'
import type { Worker } from '@svc/lifecycle'
import { type Mailer, mailer } from '@svc/mail'
import { configuredObjectStore, type ObjectStore } from '@svc/object-store'
import type { Base, Peer } from '@svc/service'
import type { OrmTx, Transact } from '@svc/transact'
import type { Redis } from 'ioredis'
import { type Config, providerSettings } from './config.ts'
import type { Audience } from './domain/sign-on-attempt.ts'
import { connectRedis } from './peers/connect-redis.ts'
import { createEpochs, type Epochs } from './peers/epochs.ts'
import { type IdentityProvider, identityProvider } from './peers/identity-provider.ts'
import { providerFetch } from './peers/provider-fetch.ts'
import { createPasswords, type Passwords } from './security/passwords.ts'
import { createSigningKeys, type SigningKeys } from './security/signing-keys.ts'
import { intentCalls, scanCalls } from './workers/intent-calls.ts'
import { createKeyUse, type KeyUse } from './workers/key-use.ts'

/** Longer than any scan: the one of the scanner ends after 60 s. */
const SCAN_LEASE_SECONDS = 90

/** What the use cases of this service work with. */
export interface Context {
  config: Config
  database: Database
  transact: Transact<OrmTx>
  /** Of parts of the audit log. */
  totals: Totals
  settledTotals: SettledTotals
  passwords: Passwords
  signingKeys: SigningKeys
  epochs: Epochs
  keyUse: KeyUse
  redis: Redis
  /** Where people log in besides; null where the operator has configured no identity provider for them. */
  signOn: Record<Audience, IdentityProvider | null>
  /** Where mail goes out; null where the operator has no mail provider. */
  mail: Mailer | null
  /** Where documents of businesses are kept; null where the operator has configured none. */
  objectStore: ObjectStore | null
  /** Looks for viruses in them; null: they stay unscanned, and nobody opens them. */
  scanner: Scanner | null
  /** Makes the calls that must happen; to be woken when one is recorded. */
  intents: Worker
  /** Has documents scanned; to be woken when one is added. */
  scans: Worker
}

/** Builds the context of a process. */
export async function createContext({ config, database, transact }: Base<Config, OrmTx>, peer: Peer): Promise<Context> {
  const { redis } = peer(connectRedis(config.redisUrl))
  const { mailApiUrl: baseUrl, mailApiKey: apiKey, mailFrom: from } = config
  const mail = baseUrl === undefined ? null : mailer({ baseUrl, apiKey, from })
  peer({ name: 'mail-provider', stop: async () => mail?.close() })
  // A local run's provider is on this machine, and speaks http.
  const arePrivateAllowed = config.oidcPrivateAddresses || config.nodeEnv !== 'production'
  const providers = providerFetch({ timeoutMs: config.oidcTimeoutMs, arePrivateAllowed })
  peer({ name: 'identity-provider', stop: () => providers.close() })
  const signOnAt = (audience: Audience) => {
    const settings = providerSettings(config, audience)
    return settings && identityProvider(settings, providers)
  }
  const context: Context = {
    config,
    database,
    transact,
    totals: new Totals(),
    settledTotals: new SettledTotals(),
    passwords: await createPasswords(config.passwordPepper),
    signingKeys: await createSigningKeys(config.tokenSigningJwk, config.tokenPreviousJwk),
    epochs: createEpochs(redis, config.redisPrefix),
    keyUse: createKeyUse(database),
    redis,
    signOn: { merchant: signOnAt('merchant'), operator: signOnAt('operator') },
    mail,
    objectStore: configuredObjectStore(config),
    scanner: config.clamdAddress === undefined ? null : clamdScanner({ address: config.clamdAddress }),
    intents: intentWorker({ transact, calls: intentCalls(() => context) }),
    scans: intentWorker({
      name: 'scan-worker',
      transact,
      calls: scanCalls(() => context),
      leaseSeconds: SCAN_LEASE_SECONDS,
    }),
  }
  return context
}
