import type { Database } from '@svc/database'
import type { Logger } from '@svc/logging'
import type { Transact } from '@svc/outbox'
import type { Payments } from '@svc/payments'
import type { Config } from './config.ts'
import type { Settlements } from './db/settlements.ts'
import type { Clients } from './peers/clients.ts'
import type { Plans } from './peers/plans.ts'

/** What every use case of this service may depend on. */
export interface Context extends Clients {
  config: Config
  database: Database
  transact: Transact
  /** Commissions that are settled at the same moment share a transaction. */
  settlements: Settlements
  /** Facts were written past `transact`. */
  relay: { wake: () => void }
  /** The payment provider; null where the operator has configured none. */
  payments: Payments | null
  /** Its plans, at most a minute old. */
  plans: Plans
  /** Tells the worker of calls that were settled before it would look by itself. */
  intents: { wake: () => void }
  /** Named moments between durable steps, where tests let a process die. */
  failpoint: (name: string) => void
  logger: Logger
}
