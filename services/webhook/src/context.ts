import { type Database, SettledTotals, Totals } from '@svc/database'
import type { Worker } from '@svc/lifecycle'
import { createSecretBox, type SecretBox } from '@svc/sealing'
import type { Base, Peer } from '@svc/service'
import type { Reads, Transact } from '@svc/transact'
import type { Config } from './config.ts'
import { createOutboundHttp, type OutboundHttp } from './peers/outbound-http.ts'
import { deliveryWakes } from './workers/delivery-wakes.ts'
import { deliveryWorker } from './workers/delivery-worker.ts'
import { sandboxClock } from './workers/sandbox-clock.ts'

/** What use cases need. */
export interface Context {
  config: Config
  database: Database
  transact: Transact
  /** What is only read. */
  reads: Reads
  /** Of lists that are filtered. */
  totals: Totals
  /** Of what filters find among all deliveries of a merchant. */
  settledTotals: SettledTotals
  secretBox: SecretBox
  http: OutboundHttp
  /** To be woken after the commit of anything that makes a delivery due. */
  deliveries: Worker
  /** To be woken after the commit of an advance of a sandbox's clock. */
  sandboxClock: Worker
}

/** Builds the context of a process. */
export function createContext({ config, database, transact, reads }: Base<Config>, peer: Peer): Context {
  const secretBox = createSecretBox(config.keyEncryptionKey)
  const http = createOutboundHttp({
    allowLocal: config.webhookAllowLocal,
    refused: config.webhookRefusedNetworks,
  })
  peer({ name: 'outbound-http', stop: () => http.close() })
  const deliveries = deliveryWakes(database, deliveryWorker({ config, database, secretBox, http }))
  const [totals, settledTotals] = [new Totals(), new SettledTotals()]
  const clock = sandboxClock({ transact, deliveries })
  return { config, database, transact, reads, totals, settledTotals, secretBox, http, deliveries, sandboxClock: clock }
}
