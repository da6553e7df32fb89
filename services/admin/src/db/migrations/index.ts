import type { MigrationObject } from '@svc/database'
import { Accounts } from './202611211000-accounts.ts'
import { RiderCredentials } from './202611211310-rider-credentials.ts'
import { BillingTerms } from './202611211620-billing-terms.ts'
import { BillingVersion } from './202611211745-billing-version.ts'

/** Every migration, oldest first. */
export const migrations: readonly MigrationObject[] = [
  { name: '202611211000-accounts', class: Accounts },
  { name: '202611211310-rider-credentials', class: RiderCredentials },
  { name: '202611211620-billing-terms', class: BillingTerms },
  { name: '202611211745-billing-version', class: BillingVersion },
]
