import type { Migrations } from '@svc/database'
import { appendEvents } from '../functions/append-events.sql.ts'
import { claimDeliveries } from '../functions/claim-deliveries.sql.ts'
import { completeDeliveries } from '../functions/complete-deliveries.sql.ts'
import { deliveryBody } from '../functions/delivery-body.sql.ts'
import { wakeLanes } from '../functions/wake-lanes.sql.ts'
import { Schema } from './202611221140-schema.ts'

/** In the order in which they run; functions come last. */
export const migrations: Migrations = [
  { name: '202611221140-schema', class: Schema },
  deliveryBody,
  wakeLanes,
  appendEvents,
  claimDeliveries,
  completeDeliveries,
]
