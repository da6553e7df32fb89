import type { Migrations } from '@svc/database'
import { functions } from '../functions/index.ts'
import { Schema } from './202611221155-schema.ts'

/** In the order in which they run; functions come last. */
export const migrations: Migrations = [{ name: '202611221155-schema', class: Schema }, ...functions]
