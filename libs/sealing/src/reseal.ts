import { createLogger } from '@svc/logging'
import type { SecretBox } from './secret-box.ts'

const logger = createLogger('sealing')
/** Rows that are read at once. */
const CHUNK = 500

/** A table with sealed columns, by the names of the columns that are the row and the tenant of their places. */
export interface SealedTable {
  table: string
  /** The columns of its primary key, in their order: by them it is read once, however long it is. */
  key: readonly string[]
  columns: readonly string[]
  row: string
  tenant: string
}

interface Database {
  query<Row extends object>(text: string, values?: unknown[]): Promise<{ rows: Row[]; rowCount: number | null }>
}

export interface Resealed {
  /** Values that the first key seals now. */
  resealed: number
  /** Values that no key opens: they stay as they are. */
  unopened: number
}

type SealedRow = Record<string, string | null> & { at_key: string[]; at_tenant: string; at_row: string }

/**
 * Seals by the first key what others have sealed, value by value; one that somebody changes meanwhile is that somebody's. It
 * may run beside everything and be run again: what it has done it does not find again.
 */
export async function reseal(worker: Database, box: SecretBox, tables: readonly SealedTable[]): Promise<Resealed> {
  const sum = { resealed: 0, unopened: 0 }
  for (const table of tables) {
    let rows: SealedRow[] = []
    do {
      rows = await rowsAfter(worker, table, rows.at(-1)?.at_key)
      for (const row of rows) await resealRow(worker, box, table, row, sum)
    } while (rows.length === CHUNK)
  }
  return sum
}

async function rowsAfter(
  worker: Database,
  { table, key, columns, row, tenant }: SealedTable,
  last: readonly string[] | undefined,
): Promise<SealedRow[]> {
  const places = key.map((_, i) => `$${i + 1}`).join(', ')
  const { rows } = await worker.query<SealedRow>(
    `SELECT ARRAY[${key.map((column) => `${column}::text`).join(', ')}] AS at_key,
            ${tenant} AS at_tenant, ${row} AS at_row, ${columns.join(', ')} FROM ${table}
      ${last ? `WHERE (${key.join(', ')}) > (${places})` : ''} ORDER BY ${key.join(', ')} LIMIT ${CHUNK}`,
    last && [...last],
  )
  return rows
}

async function resealRow(
  worker: Database,
  box: SecretBox,
  { table, key, columns }: SealedTable,
  found: SealedRow,
  sum: Resealed,
): Promise<void> {
  const { at_key: atKey, at_tenant: atTenant, at_row: atRow } = found
  const isRow = key.map((column, i) => `${column} = $${i + 3}`).join(' AND ')
  for (const column of columns) {
    const sealed = found[column]
    if (!sealed || sealed.startsWith(box.currentPrefix)) continue
    const place = { table, column, row: atRow, tenant: atTenant }
    try {
      const anew = box.seal(place, box.open(place, sealed))
      const { rowCount } = await worker.query(`UPDATE ${table} SET ${column} = $1 WHERE ${column} = $2 AND ${isRow}`, [
        anew,
        sealed,
        ...atKey,
      ])
      sum.resealed += rowCount ?? 0
    } catch (err) {
      sum.unopened++
      logger.error({ err, table, column, row: atRow, merchant_id: atTenant }, 'a secret cannot be opened, and stays')
    }
  }
}
