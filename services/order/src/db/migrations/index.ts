import type { Migrations } from '@svc/database'
import { createOrder } from '../functions/create-order.sql.ts'
import { Schema } from './202611221200-schema.ts'

/** In the order in which they run; functions come last. */
export const migrations: Migrations = [{ name: '202611221200-schema', class: Schema }, createOrder]
