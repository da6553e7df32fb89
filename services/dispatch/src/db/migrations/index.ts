import type { Migrations } from '@svc/database'
import { riderLocationLogKeep } from '../functions/rider-location-log-keep.sql.ts'
import { ridersNear } from '../functions/riders-near.sql.ts'
import { surveyDelivery } from '../functions/survey-delivery.sql.ts'
import { Schema } from './202611221200-schema.ts'

/** In the order in which they run; functions come last. */
export const migrations: Migrations = [
  { name: '202611221200-schema', class: Schema },
  riderLocationLogKeep,
  ridersNear,
  surveyDelivery,
]
