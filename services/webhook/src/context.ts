import type { Database } from '@svc/database'
import type { Transact } from '@svc/outbox'
import type { SecretBox } from '@svc/sealing'
import type { Config } from './config.ts'
import type { OutboundHttp } from './peers/outbound-http.ts'

/** What use cases need; built once in service.ts. */
export interface Context {
  config: Config
  database: Database
  transact: Transact
  secretBox: SecretBox
  http: OutboundHttp
  /** To be called after the commit of anything that makes a delivery due. */
  wakeDeliveries: () => void
}
