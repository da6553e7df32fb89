import { type Database, SettledTotals, Totals } from '@svc/database'
import { intentWorker } from '@svc/intents'
import type { Worker } from '@svc/lifecycle'
import type { Logger } from '@svc/logging'
import { type Mailer, mailer } from '@svc/mail'
import type { Payments } from '@svc/payments'
import type { Base, Peer } from '@svc/service'
import type { Reads, Transact } from '@svc/transact'
import type { Config } from './config.ts'
import { type Settlements, settlements } from './db/settlements.ts'
import { CALL_LEASE_SECONDS } from './domain/call-lease.ts'
import { type Clients, closeClients, createClients } from './peers/clients.ts'
import { paymentProvider } from './peers/payment-provider.ts'
import { cachedPlans, type Plans } from './peers/plans.ts'
import { intentCalls } from './workers/intent-calls.ts'

/** What every use case of this service may depend on. */
export interface Context extends Clients {
  config: Config
  database: Database
  transact: Transact
  /** What is only read. */
  reads: Reads
  /** Of lists that may be long. */
  totals: Totals
  /** Of what is added to and never changes. */
  settledTotals: SettledTotals
  /** Commissions that are settled at the same moment share a transaction. */
  settlements: Settlements
  /** Facts were written past `transact`. */
  relay: { wake: () => void }
  /** The payment provider; null where the operator has configured none. */
  payments: Payments | null
  /** Where mail goes out; null where the operator has no mail provider. */
  mail: Mailer | null
  /** Its plans, at most a minute old. */
  plans: Plans
  /** Makes the calls that must happen; to be woken when one is recorded. */
  intents: Worker
  /** Named moments between durable steps, where tests let a process die. */
  failpoint: (name: string) => void
  logger: Logger
}

/** Builds the context of a process. */
export function createContext(base: Base<Config>, peer: Peer): Context {
  const { config, database, transact } = base
  const payments = paymentProvider(config)
  const clients = createClients(config)
  const { mailApiUrl: baseUrl, mailApiKey: apiKey, mailFrom: from } = config
  const mail = baseUrl === undefined ? null : mailer({ baseUrl, apiKey, from })
  peer({ name: 'mail-provider', stop: async () => mail?.close() })
  peer({ name: 'payment-provider', stop: async () => payments?.close() })
  peer({ name: 'clients', stop: async () => closeClients(clients) })
  const context: Context = {
    ...base,
    ...clients,
    totals: new Totals(),
    settledTotals: new SettledTotals(),
    payments,
    mail,
    plans: cachedPlans(payments),
    settlements: settlements(database.worker),
    intents: intentWorker({
      transact,
      calls: intentCalls(() => context, mail !== null),
      leaseSeconds: CALL_LEASE_SECONDS,
    }),
    failpoint: () => undefined,
  }
  return context
}
