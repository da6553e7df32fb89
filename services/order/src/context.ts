import type { Database } from '@svc/database'
import type { Logger } from '@svc/logging'
import type { Transact } from '@svc/outbox'
import type { Config } from './config.ts'
import type { Run } from './db/store-order.ts'
import type { Dispatch } from './peers/dispatch.ts'
import type { Wallet } from './peers/wallet.ts'

/** What every use case of this service may depend on. */
export interface Context {
  config: Config
  database: Database
  transact: Transact
  /** Creates an order in a transaction shared with those that come at the same time. */
  creations: Run
  /** Tells the relay that facts wait. */
  relay: { wake(): void }
  /** Tells the simulator's worker of an order whose steps are due or will be. */
  simulator: { drive(orderId: string): void; wake(): void }
  dispatch: Dispatch
  wallet: Wallet
  /** Makes the calls that must happen, and are due; wake: one is. */
  intents: { wake(): void }
  /** Gives orders to the riders that their creation named. */
  assignments: { drive(orderId: string): Promise<void> }
  /** Nothing, but in tests that let the process die here. */
  failpoint: (name: string) => void
  logger: Logger
}
