import type { MigrationObject } from '@svc/database'
import { EndpointsAndEventLog } from './202611211000-endpoints-and-event-log.ts'
import { Deliveries } from './202611211001-deliveries.ts'

/** In the order in which they run. */
export const migrations: MigrationObject[] = [
  { name: '202611211000-endpoints-and-event-log', class: EndpointsAndEventLog },
  { name: '202611211001-deliveries', class: Deliveries },
]
