import type { Database } from '@svc/database'
import type { Logger } from '@svc/logging'
import { createSecretBox, type SecretBox } from '@svc/sealing'
import type { Base } from '@svc/service'
import type { Reads, Transact } from '@svc/transact'
import type { Channels } from './channels/channel.ts'
import { channelsOf } from './channels/index.ts'
import { type Refusals, refusals } from './channels/refusals.ts'
import type { Config } from './config.ts'

/** What every use case of this service may depend on. */
export interface Context {
  config: Config
  database: Database
  transact: Transact
  /** What is only read. */
  reads: Reads
  /** Facts were written past `transact`. */
  relay: { wake: () => void }
  secretBox: SecretBox
  channels: Channels
  refusals: Refusals
  logger: Logger
}

/** Builds the context of a process. */
export const createContext = (base: Base<Config>): Context => ({
  ...base,
  secretBox: createSecretBox(base.config.keyEncryptionKey),
  channels: channelsOf(base.config),
  refusals: refusals(base.logger),
})
