import type { Database, Scope, Statement } from '@svc/database'
import { decided } from './decided.ts'
import type { Tx } from './transact.ts'

/** Reads of one service that belong to no transaction: each is one round trip, and cannot write. */
export interface Reads {
  /** What the scope may see of the rows that a unique key finds; such reads of one moment share their round trips. */
  byKey<Row extends object>(scope: Scope, text: string, params: readonly unknown[]): Promise<Row[]>
  /** The rows of each statement, in the same round trip. */
  together(scope: Scope, statements: readonly Statement[]): Promise<object[][]>
  /** The same, of few rows that an index finds: it shares its round trip as reads by key do, and they wait for it. */
  few(scope: Scope, statements: readonly Statement[]): Promise<object[][]>
  /** For finders that also serve transactions: each statement is a round trip, planned each time, and sees what is there then. */
  in(scope: Scope): Pick<Tx, 'sql'>
}

/** Where the database was not there or had no connection free in time, a read throws service_unavailable. */
export const createReads = (database: Pick<Database, 'read' | 'readFew'>): Reads => ({
  async byKey<Row extends object>(scope: Scope, text: string, params: readonly unknown[]) {
    const [rows] = await decided(database.readFew(scope, [{ text, params }]))
    return rows as Row[]
  },
  together: (scope, statements) => decided(database.read(scope, statements)),
  few: (scope, statements) => decided(database.readFew(scope, statements)),
  in: (scope) => ({
    async sql<Row extends object>(text: string, params?: readonly unknown[]) {
      const [rows = []] = await decided(database.read(scope, [{ text, params, planned: 'each time' }]))
      return { rows: rows as Row[], rowCount: rows.length }
    },
  }),
})
