import { type Database, SettledTotals, Totals } from '@svc/database'
import { type Intents, intentWorker } from '@svc/intents'
import type { Worker } from '@svc/lifecycle'
import type { Logger } from '@svc/logging'
import type { Base, Peer } from '@svc/service'
import type { OrmTx, Reads, Transact } from '@svc/transact'
import { changeWaitingFor } from './changes/kinds.ts'
import { CASH, collectCash } from './commissions/cash.ts'
import { intentCalls } from './commissions/intent-calls.ts'
import { LEASE_SECONDS } from './commissions/settle.ts'
import type { Config } from './config.ts'
import { ASSIGN, assign } from './creations/assign.ts'
import { LiveTotals } from './db/live-totals.ts'
import { type Run, shared } from './db/store-order.ts'
import { connectDispatch, type Dispatch } from './peers/dispatch.ts'
import { connectWallet, type Wallet } from './peers/wallet.ts'
import { shipmentCalls } from './shipments/intent-calls.ts'
import { Waiting } from './shipments/waiting.ts'
import { beginner } from './workers/beginner.ts'
import { scenarioWorker } from './workers/scenario-worker.ts'
import { type SimulatorWorker, simulatorWorker } from './workers/simulator-worker.ts'

/** Calls go on this soon after the other side is back. */
const MAX_BACKOFF_SECONDS = 15

/** What every use case of this service may depend on. */
export interface Context {
  config: Config
  database: Database
  transact: Transact<OrmTx>
  /** What is only read. */
  reads: Reads
  /** Of all orders of a merchant. */
  liveTotals: LiveTotals
  /** Of what filters find, unless in the sandbox alone. */
  foundTotals: SettledTotals
  /** Of all lists that are filtered. */
  totals: Totals
  /** Creates an order in a transaction shared with those that come at the same time. */
  creations: Run
  /** Tells the relay that facts wait. */
  relay: { wake(): void }
  /** Tells the simulator's worker of an order whose steps are due or will be. */
  simulator: SimulatorWorker
  /** Plays scenarios; to be woken when one was started. */
  scenarios: Worker
  /** Begins the orders of shipments; to be woken when one was submitted. */
  beginner: Worker
  waiting: Waiting
  dispatch: Dispatch
  wallet: Wallet
  /** Makes the calls that must happen; to be woken when one is recorded. */
  intents: Intents
  /** Nothing, but in tests that let the process die here. */
  failpoint: (name: string) => void
  logger: Logger
}

/** Builds the context of a process. */
export function createContext(base: Base<Config, OrmTx>, peer: Peer): Context {
  const { config, database, transact } = base
  const context: Context = {
    ...base,
    dispatch: peer(connectDispatch(config)),
    wallet: peer(connectWallet(config)),
    liveTotals: new LiveTotals(),
    foundTotals: new SettledTotals(),
    totals: new Totals(),
    creations: shared(database.app),
    simulator: simulatorWorker(base),
    scenarios: scenarioWorker(() => context),
    beginner: beginner(() => context),
    waiting: new Waiting(),
    intents: intentWorker({
      transact,
      calls: {
        ...intentCalls(() => context, changeWaitingFor),
        ...shipmentCalls(() => context),
        [ASSIGN]: (intent) => assign(context, intent),
        [CASH]: (intent) => collectCash(context, intent),
      },
      leaseSeconds: LEASE_SECONDS,
      maxBackoffSeconds: MAX_BACKOFF_SECONDS,
    }),
    failpoint: () => undefined,
  }
  return context
}
