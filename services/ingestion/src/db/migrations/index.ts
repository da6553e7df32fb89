import type { Migrations } from '@svc/database'
import { receiveHook } from '../functions/receive-hook.sql.ts'
import { Schema } from './202611221140-schema.ts'

/** In the order in which they run; functions come last. */
export const migrations: Migrations = [{ name: '202611221140-schema', class: Schema }, receiveHook]
