import type { Database } from '@svc/database'
import type { Tx } from '@svc/outbox'

/** Statements that need no transaction, in the form of those that run in one. */
export function sqlOf(pool: Database['worker']): Tx['sql'] {
  return async <Row extends object>(text: string, params: readonly unknown[] = []) => {
    const { rows, rowCount } = await pool.query<Row>(text, [...params])
    return { rows, rowCount: rowCount ?? rows.length }
  }
}
