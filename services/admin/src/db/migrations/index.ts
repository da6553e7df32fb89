import type { MigrationObject } from '@svc/database'
import { Accounts } from './202611211000-accounts.ts'

/** Every migration, oldest first. */
export const migrations: readonly MigrationObject[] = [{ name: '202611211000-accounts', class: Accounts }]
