import type { Database } from '@svc/database'
import { type Intents, intentWorker } from '@svc/intents'
import type { Worker } from '@svc/lifecycle'
import { createLogger, type Logger } from '@svc/logging'
import { configuredObjectStore, type ObjectStore } from '@svc/object-store'
import type { Base, Peer } from '@svc/service'
import type { Reads, Transact } from '@svc/transact'
import type { Config } from './config.ts'
import { type PositionLog, positionLog } from './db/position-log.ts'
import { type Surveys, surveys } from './db/survey.ts'
import { type Clients, createClients } from './peers/clients.ts'
import { type Messenger, messenger } from './peers/messenger.ts'
import { osrmRouter } from './peers/osrm-router.ts'
import { publishMoves } from './peers/publish-moves.ts'
import { type Realtime, realtimePublisher } from './peers/realtime.ts'
import type { Router } from './peers/router.ts'
import { connectWallet, type Wallet } from './peers/wallet.ts'
import { dispatchWorker } from './workers/dispatch-worker.ts'
import { alarmCalls, intentCalls } from './workers/intent-calls.ts'
import { type MoveObserver, moveObserver } from './workers/move-observer.ts'

/** Longer than any call takes: the one of the SMS provider ends after 12 s. */
const LEASE_SECONDS = 15
/** Rather twice than late: a message that hangs is sent by another lane before the provider's 12 s are over. */
const ALARM_LEASE_SECONDS = 8
const ALARM_BACKOFF_SECONDS = 5

/** What every use case of this service may depend on. */
export interface Context extends Clients {
  config: Config
  database: Database
  transact: Transact
  /** What is only read. */
  reads: Reads
  /** Where is delivered, and by which card. */
  surveys: Surveys
  /** Where riders are: the way in. */
  positionLog: PositionLog
  /** Tells phones. */
  messenger: Messenger
  /** Tells the sockets. */
  realtime: Realtime
  /** Knows what merchants can bear and riders would earn. */
  wallet: Wallet
  /** Finds ways by road; null where they are estimated. */
  router: Router | null
  /** Where photos of hand-overs are kept; null where the operator has configured none. */
  objectStore: ObjectStore | null
  /** Relates positions to the orders that their riders carry. */
  moves: MoveObserver
  /** Does what is due about orders; to be woken when something became due. */
  dispatcher: Worker
  /** Makes the calls that must happen; to be woken when one is recorded. */
  intents: Intents
  /** Sends alarms, which wait behind no other call. */
  alarms: Intents
  /** Named moments between durable steps, where tests let a process die. */
  failpoint: (name: string) => void
  logger: Logger
}

/** Builds the context of a process. */
export function createContext(base: Base<Config>, peer: Peer): Context {
  const { config, database, transact, reads, logger } = base
  const clients = createClients(config)
  peer({ name: 'clients', stop: async () => Object.values(clients).forEach((client) => client.close()) })
  const realtime = peer(realtimePublisher(config))
  const context: Context = {
    config,
    database,
    logger,
    transact,
    reads,
    ...clients,
    surveys: surveys(database),
    wallet: peer(connectWallet(config)),
    messenger: peer(messenger(config)),
    positionLog: positionLog(database, (moved) => {
      publishMoves(context, moved)
      context.moves.observe(moved)
    }),
    realtime,
    router: config.routerUrl ? osrmRouter({ baseUrl: config.routerUrl, logger: createLogger('router') }) : null,
    objectStore: configuredObjectStore(config),
    moves: moveObserver(() => context),
    dispatcher: dispatchWorker(() => context),
    intents: intentWorker({ transact, calls: intentCalls(() => context), leaseSeconds: LEASE_SECONDS }),
    alarms: intentWorker({
      name: 'alarm-worker',
      transact,
      calls: alarmCalls(() => context),
      leaseSeconds: ALARM_LEASE_SECONDS,
      maxBackoffSeconds: ALARM_BACKOFF_SECONDS,
    }),
    failpoint: () => undefined,
  }
  return context
}
