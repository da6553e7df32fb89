import type { MigrationObject } from '@svc/database'
import { Riders } from './202611211300-riders.ts'
import { Places } from './202611211301-places.ts'
import { Positions } from './202611211302-positions.ts'
import { Jobs } from './202611211303-jobs.ts'
import { FeesAndPayouts } from './202611211600-fees-and-payouts.ts'
import { DueIntents } from './202611211735-due-intents.ts'

/** In the order in which they run. */
export const migrations: MigrationObject[] = [
  { name: '202611211300-riders', class: Riders },
  { name: '202611211301-places', class: Places },
  { name: '202611211302-positions', class: Positions },
  { name: '202611211303-jobs', class: Jobs },
  { name: '202611211600-fees-and-payouts', class: FeesAndPayouts },
  { name: '202611211735-due-intents', class: DueIntents },
]
