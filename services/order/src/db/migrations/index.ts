import type { MigrationObject } from '@svc/database'
import { Orders } from './202611211000-orders.ts'

/** In the order in which they run. */
export const migrations: MigrationObject[] = [{ name: '202611211000-orders', class: Orders }]
