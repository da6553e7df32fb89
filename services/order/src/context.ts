import type { Database } from '@svc/database'
import { intentWorker } from '@svc/intents'
import type { Worker } from '@svc/lifecycle'
import type { Logger } from '@svc/logging'
import type { Base, Peer } from '@svc/service'
import type { Transact } from '@svc/transact'
import { changeWaitingFor } from './changes/kinds.ts'
import { intentCalls } from './commissions/intent-calls.ts'
import { LEASE_SECONDS } from './commissions/settle.ts'
import type { Config } from './config.ts'
import { type Run, shared } from './db/store-order.ts'
import { connectDispatch, type Dispatch } from './peers/dispatch.ts'
import { connectWallet, type Wallet } from './peers/wallet.ts'
import { type AssignmentWorker, assignmentWorker } from './workers/assignment-worker.ts'
import { type SimulatorWorker, simulatorWorker } from './workers/simulator-worker.ts'

/** Settlements go on this soon after the wallet is back. */
const MAX_BACKOFF_SECONDS = 15

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
  simulator: SimulatorWorker
  dispatch: Dispatch
  wallet: Wallet
  /** Makes the calls that must happen; to be woken when one is recorded. */
  intents: Worker
  /** Gives orders to the riders that their creation named. */
  assignments: AssignmentWorker
  /** Nothing, but in tests that let the process die here. */
  failpoint: (name: string) => void
  logger: Logger
}

/** Builds the context of a process. */
export function createContext(base: Base<Config>, peer: Peer): Context {
  const { config, database, transact } = base
  const dispatch = peer(connectDispatch(config))
  const context: Context = {
    ...base,
    dispatch,
    wallet: peer(connectWallet(config)),
    creations: shared(database.app),
    simulator: simulatorWorker(base),
    assignments: assignmentWorker({ ...base, dispatch }),
    intents: intentWorker({
      transact,
      calls: intentCalls(() => context, changeWaitingFor),
      leaseSeconds: LEASE_SECONDS,
      maxBackoffSeconds: MAX_BACKOFF_SECONDS,
    }),
    failpoint: () => undefined,
  }
  return context
}
