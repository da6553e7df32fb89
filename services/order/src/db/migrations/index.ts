import type { MigrationObject } from '@svc/database'
import { Orders } from './202611211000-orders.ts'
import { Fulfilment } from './202611211315-fulfilment.ts'
import { Settlement } from './202611211620-settlement.ts'
import { SettlementAttempts } from './202611211735-settlement-attempts.ts'

/** In the order in which they run. */
export const migrations: MigrationObject[] = [
  { name: '202611211000-orders', class: Orders },
  { name: '202611211315-fulfilment', class: Fulfilment },
  { name: '202611211620-settlement', class: Settlement },
  { name: '202611211735-settlement-attempts', class: SettlementAttempts },
]
