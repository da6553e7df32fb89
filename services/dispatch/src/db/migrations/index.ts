import type { Migrations } from '@svc/database'
import { merchantsLearned } from '@svc/service'
import { AgesDropped, ExpiryIndexes, ExpiryVacuum, outboxPending } from '@svc/transact'
import { riderLocationLogKeep } from '../functions/rider-location-log-keep.sql.ts'
import { ridersAskable } from '../functions/riders-askable.sql.ts'
import { ridersNear } from '../functions/riders-near.sql.ts'
import { surveyDeliveries } from '../functions/survey-deliveries.sql.ts'
import { Schema } from './202611221200-schema.ts'
import { OwnActs } from './202611221435-own-acts.ts'
import { Memberships } from './202611221440-memberships.ts'
import { UnboundRevocations } from './202611221544-unbound-revocations.ts'
import { CodeLimits } from './202611221545-code-limits.ts'
import { RevocationsAreIntents } from './202611221545-revocations-are-intents.ts'
import { PhotoOrders } from './202611221705-photo-orders.ts'
import { Ages } from './202611221710-ages.ts'
import { LoginPlaces } from './202611230020-login-places.ts'
import { OldestUnplanned } from './202611230400-oldest-unplanned.ts'
import { Rehearsals } from './202611231950-rehearsals.ts'
import { SandboxAdvances } from './202611231951-sandbox-advances.ts'
import { RiderCash } from './202611231955-rider-cash.ts'
import { AdvancesInBites } from './202611232000-advances-in-bites.ts'
import { OpenAdvances } from './202611232001-open-advances.ts'
import { CodCurrency } from './202611240020-cod-currency.ts'
import { OfferedUnplanned } from './202611242100-offered-unplanned.ts'
import { CodesByPhone } from './202611280801-codes-by-phone.ts'
import { JobsToAdvance } from './202611290700-jobs-to-advance.ts'
import { DueByEnvironment } from './202611290710-due-by-environment.ts'

/** What its tables are made with; who provisions the database creates it. */
export const extensions = ['postgis', 'pg_trgm']

/** In the order in which they run; functions come last. */
export const migrations: Migrations = [
  { name: '202611221200-schema', class: Schema },
  { name: '202611221435-own-acts', class: OwnActs },
  { name: '202611221440-memberships', class: Memberships },
  { name: '202611221544-unbound-revocations', class: UnboundRevocations },
  { name: '202611221545-code-limits', class: CodeLimits },
  { name: '202611221545-expiry-indexes', class: ExpiryIndexes },
  { name: '202611221545-revocations-are-intents', class: RevocationsAreIntents },
  { name: '202611221546-expiry-vacuum', class: ExpiryVacuum },
  { name: '202611221550-merchants-learned', class: merchantsLearned('dispatch') },
  { name: '202611221705-photo-orders', class: PhotoOrders },
  { name: '202611221710-ages', class: Ages },
  { name: '202611230020-login-places', class: LoginPlaces },
  { name: '202611230400-oldest-unplanned', class: OldestUnplanned },
  { name: '202611231950-rehearsals', class: Rehearsals },
  { name: '202611231951-sandbox-advances', class: SandboxAdvances },
  { name: '202611231955-rider-cash', class: RiderCash },
  { name: '202611232000-advances-in-bites', class: AdvancesInBites },
  { name: '202611232001-open-advances', class: OpenAdvances },
  { name: '202611240020-cod-currency', class: CodCurrency },
  { name: '202611242100-offered-unplanned', class: OfferedUnplanned },
  { name: '202611280801-codes-by-phone', class: CodesByPhone },
  { name: '202611281030-ages-dropped', class: AgesDropped },
  { name: '202611290700-jobs-to-advance', class: JobsToAdvance },
  { name: '202611290710-due-by-environment', class: DueByEnvironment },
  outboxPending,
  riderLocationLogKeep,
  ridersAskable,
  ridersNear,
  surveyDeliveries,
]
