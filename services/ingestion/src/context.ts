import type { Database } from '@svc/database'
import { type Intents, intentWorker } from '@svc/intents'
import type { Worker } from '@svc/lifecycle'
import type { Logger } from '@svc/logging'
import { configuredObjectStore, type ObjectStore } from '@svc/object-store'
import { createSecretBox, type SecretBox } from '@svc/sealing'
import type { Base, Peer } from '@svc/service'
import { type SmsSender, smsSender } from '@svc/sms'
import type { Reads, Transact } from '@svc/transact'
import type { Channels } from './channels/channel.ts'
import { channelsOf } from './channels/index.ts'
import { type Refusals, refusals } from './channels/refusals.ts'
import type { Config } from './config.ts'
import { sharedVerifyingSecrets } from './db/channel-settings.ts'
import { hookKeeper, type KeepHook } from './db/receive-hook.ts'
import { type OpenSecret, secretOpener } from './db/secret-opener.ts'
import { jobSettler, type SettleJob } from './db/settle-jobs.ts'
import { type ShopClaims, shopClaims } from './db/shop-claims.ts'
import { type Cloud, messagingCloud } from './peers/cloud.ts'
import { type Mailbox, mailbox } from './peers/mailbox.ts'
import { connectMerchants, type Merchants } from './peers/merchants.ts'
import { connectOrders, type Orders } from './peers/orders.ts'
import { type TextReader, textReader } from './peers/text-reader.ts'
import { attachmentReader } from './workers/attachment-reader.ts'
import { intentCalls } from './workers/intent-calls.ts'
import { normalizer } from './workers/normalizer.ts'

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
  /** The secrets of channels. */
  openSecret: OpenSecret
  channels: Channels
  refusals: Refusals
  /** Keeps what was found to be signed right. */
  keepHook: KeepHook
  /** Ends jobs after which nothing more is to be done. */
  settleJob: SettleJob
  shopClaims: ShopClaims
  verifyingSecrets: ReturnType<typeof sharedVerifyingSecrets>
  /** The messaging app's cloud; null where the operator has configured none. */
  cloud: Cloud | null
  orders: Orders
  merchants: Merchants
  /** Makes hooks into orders; to be woken when one came. */
  normalizer: Worker
  /** Where mail that came is kept by its provider; null where the operator has configured none. */
  mailbox: Mailbox | null
  /** Where attachments of mail are kept; null where the operator has configured none. */
  objectStore: ObjectStore | null
  textReader: TextReader
  /** Fetches and reads attachments of mail; to be woken when one is to be read. */
  attachmentReader: Worker
  /** Where customers are answered; null where the operator has no provider of messages. */
  sms: SmsSender | null
  /** Makes the calls that must happen; to be woken when one is recorded. */
  intents: Intents
  /** Named moments between durable steps, where tests let a process die. */
  failpoint: (name: string) => void
  logger: Logger
}

/** Builds the context of a process. */
export function createContext(base: Base<Config>, peer: Peer): Context {
  const secretBox = createSecretBox(base.config.keyEncryptionKey)
  const openSecret = secretOpener(secretBox, base.logger)
  const cloud = messagingCloud(base.config)
  const { messagingApiUrl: baseUrl, messagingApiKey: apiKey, messagingSender: from } = base.config
  const sms = baseUrl === undefined ? null : smsSender({ baseUrl, apiKey, from })
  peer({ name: 'messaging-cloud', stop: async () => cloud?.close() })
  const mails = mailbox(base.config)
  peer({ name: 'mail-provider', stop: async () => mails?.close() })
  peer({ name: 'sms-provider', stop: async () => sms?.close() })
  const context: Context = {
    ...base,
    secretBox,
    openSecret,
    channels: channelsOf(base.config),
    refusals: refusals(base.logger),
    keepHook: hookKeeper(base.database.worker),
    settleJob: jobSettler(base.database.worker),
    shopClaims: shopClaims(base.database.worker, openSecret),
    verifyingSecrets: sharedVerifyingSecrets(base.database.worker, openSecret),
    cloud,
    orders: peer(connectOrders(base.config)),
    merchants: peer(connectMerchants(base.config)),
    normalizer: normalizer(() => context),
    mailbox: mails,
    objectStore: configuredObjectStore(base.config),
    textReader: textReader(base.config),
    attachmentReader: attachmentReader(base.config.ocrLanes, () => context),
    sms,
    intents: intentWorker({ transact: base.transact, calls: intentCalls(() => context) }),
    failpoint: () => undefined,
  }
  return context
}
