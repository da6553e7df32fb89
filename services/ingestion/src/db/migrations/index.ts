import type { MigrationObject } from '@svc/database'
import { InboundHooks } from './202611211700-inbound-hooks.ts'

/** In the order in which they run. */
export const migrations: MigrationObject[] = [{ name: '202611211700-inbound-hooks', class: InboundHooks }]
