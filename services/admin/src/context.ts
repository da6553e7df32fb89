import type { Database } from '@svc/database'
import type { Transact } from '@svc/outbox'
import type { Config } from './config.ts'
import type { Epochs } from './peers/epochs.ts'
import type { Passwords } from './security/passwords.ts'
import type { SigningKeys } from './security/signing-keys.ts'
import type { KeyUse } from './workers/key-use.ts'

/** What the use cases of this service work with. */
export interface Context {
  config: Config
  database: Database
  transact: Transact
  passwords: Passwords
  signingKeys: SigningKeys
  epochs: Epochs
  keyUse: KeyUse
}
