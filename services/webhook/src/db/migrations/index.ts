import type { MigrationObject } from '@svc/database'
import { EndpointsAndEventLog } from './202611211000-endpoints-and-event-log.ts'
import { Deliveries } from './202611211001-deliveries.ts'
import { MoneyEvents } from './202611211720-money-events.ts'
import { MoneyEventSequences } from './202611211721-money-event-sequences.ts'

/** In the order in which they run. */
export const migrations: MigrationObject[] = [
  { name: '202611211000-endpoints-and-event-log', class: EndpointsAndEventLog },
  { name: '202611211001-deliveries', class: Deliveries },
  { name: '202611211720-money-events', class: MoneyEvents },
  { name: '202611211721-money-event-sequences', class: MoneyEventSequences },
]
