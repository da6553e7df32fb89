import type { Database } from '@svc/database'
import type { Logger } from '@svc/logging'
import type { Transact } from '@svc/outbox'
import type { SecretBox } from '@svc/sealing'
import type { Channels } from './channels/channel.ts'
import type { Refusals } from './channels/refusals.ts'
import type { Config } from './config.ts'

/** What every use case of this service may depend on. */
export interface Context {
  config: Config
  database: Database
  transact: Transact
  /** Facts were written past `transact`. */
  relay: { wake: () => void }
  secretBox: SecretBox
  channels: Channels
  refusals: Refusals
  logger: Logger
}
