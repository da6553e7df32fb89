import type { MigrationObject } from '@svc/database'
import { Ledger } from './202611211400-ledger.ts'
import { Topups } from './202611211600-topups.ts'
import { Withdrawals } from './202611211610-withdrawals.ts'
import { Billing } from './202611211620-billing.ts'
import { DueIntents } from './202611211735-due-intents.ts'
import { PaidPeriods } from './202611211745-paid-periods.ts'
import { PaidWatch } from './202611211810-paid-watch.ts'

/** In the order in which they run. */
export const migrations: MigrationObject[] = [
  { name: '202611211400-ledger', class: Ledger },
  { name: '202611211600-topups', class: Topups },
  { name: '202611211610-withdrawals', class: Withdrawals },
  { name: '202611211620-billing', class: Billing },
  { name: '202611211735-due-intents', class: DueIntents },
  { name: '202611211745-paid-periods', class: PaidPeriods },
  { name: '202611211810-paid-watch', class: PaidWatch },
]
