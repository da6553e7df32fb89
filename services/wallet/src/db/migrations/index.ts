import type { MigrationObject } from '@svc/database'
import { Ledger } from './202611211400-ledger.ts'

/** In the order in which they run. */
export const migrations: MigrationObject[] = [{ name: '202611211400-ledger', class: Ledger }]
