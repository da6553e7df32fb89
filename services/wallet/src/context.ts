import type { Database } from '@svc/database'
import type { Transact } from '@svc/outbox'
import type { Config } from './config.ts'
import type { Settlements } from './db/settlements.ts'

/** What every use case of this service may depend on. */
export interface Context {
  config: Config
  database: Database
  transact: Transact
  /** Commissions that are settled at the same moment share a transaction. */
  settlements: Settlements
  /** Facts were written past `transact`. */
  relay: { wake: () => void }
}
