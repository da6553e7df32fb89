import type { Database } from '@svc/database'
import type { Logger } from '@svc/logging'
import type { Transact } from '@svc/outbox'
import type { Config } from './config.ts'
import type { PositionLog } from './db/position-log.ts'
import type { Clients } from './peers/clients.ts'
import type { Messenger } from './peers/messenger.ts'
import type { ObjectStore } from './peers/object-store.ts'
import type { Realtime } from './peers/realtime.ts'
import type { Router } from './peers/router.ts'
import type { Wallet } from './peers/wallet.ts'

/** What every use case of this service may depend on. */
export interface Context extends Clients {
  config: Config
  database: Database
  transact: Transact
  /** Where riders are: the way in. */
  positionLog: PositionLog
  /** Tells phones. */
  messenger: Messenger
  /** Tells the sockets. */
  realtime: Realtime
  /** Knows what merchants can bear and riders would earn; null in a deployment without it. */
  wallet: Wallet | null
  /** Finds ways by road; null where they are estimated. */
  router: Router | null
  /** Where photos of hand-overs are kept; null where the operator has configured none. */
  objectStore: ObjectStore | null
  /** Have the worker look at what became due, or at calls that were settled, before it would by itself. */
  dispatcher: { wake(): void }
  intents: { wake(): void }
  /** Named moments between durable steps, where tests let a process die. */
  failpoint: (name: string) => void
  logger: Logger
}
