import type { MigrationObject } from '@svc/database'
import { InboundHooks } from './202611211700-inbound-hooks.ts'
import { NextDelivery } from './202611211745-next-delivery.ts'

/** In the order in which they run. */
export const migrations: MigrationObject[] = [
  { name: '202611211700-inbound-hooks', class: InboundHooks },
  { name: '202611211745-next-delivery', class: NextDelivery },
]
