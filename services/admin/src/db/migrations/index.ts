import type { Migrations } from '@svc/database'
import { Schema } from './202611221140-schema.ts'

/** In the order in which they run. */
export const migrations: Migrations = [{ name: '202611221140-schema', class: Schema }]
