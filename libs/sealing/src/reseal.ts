import { createLogger } from '@svc/logging'
import type { SecretBox } from './secret-box.ts'

const logger = createLogger('sealing')
/** Rows that are read at once. */
const CHUNK = 200
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** A table with sealed columns, by the names of the columns that are the row and the tenant of their places. */
export interface SealedTable {
  table: string
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

type SealedRow = Record<string, string | null> & { at_tenant: string; at_row: string }

/**
 * Seals by the first key what others have sealed, value by value; one that somebody changes meanwhile is that somebody's. It
 * may run beside everything and be run again: what it has done it does not find again.
 */
export async function reseal(worker: Database, box: SecretBox, tables: readonly SealedTable[]): Promise<Resealed> {
  const sum = { resealed: 0, unopened: 0 }
  for (const table of tables) {
    let last = { at_tenant: BEFORE_ALL, at_row: '' }
    for (;;) {
      const rows = await sealedByOthers(worker, box, table, last)
      for (const row of rows) await resealRow(worker, box, table, row, sum)
      if (rows.length < CHUNK) break
      last = rows.at(-1) as SealedRow
    }
  }
  return sum
}

async function sealedByOthers(
  worker: Database,
  { currentPrefix }: SecretBox,
  { table, columns, row, tenant }: SealedTable,
  after: Pick<SealedRow, 'at_tenant' | 'at_row'>,
): Promise<SealedRow[]> {
  const isOthers = columns.map((column) => `NOT starts_with(${column}, $1)`).join(' OR ')
  const { rows } = await worker.query<SealedRow>(
    `SELECT ${tenant} AS at_tenant, ${row} AS at_row, ${columns.join(', ')} FROM ${table}
      WHERE (${isOthers}) AND (${tenant}, ${row}::text) > ($2::uuid, $3)
      ORDER BY ${tenant}, ${row}::text LIMIT ${CHUNK}`,
    [currentPrefix, after.at_tenant, after.at_row],
  )
  return rows
}

async function resealRow(
  worker: Database,
  box: SecretBox,
  { table, columns, row, tenant }: SealedTable,
  found: SealedRow,
  sum: Resealed,
): Promise<void> {
  const { at_tenant: atTenant, at_row: atRow } = found
  for (const column of columns) {
    const sealed = found[column]
    if (!sealed || sealed.startsWith(box.currentPrefix)) continue
    const place = { table, column, row: atRow, tenant: atTenant }
    try {
      const anew = box.seal(place, box.open(place, sealed))
      const { rowCount } = await worker.query(
        `UPDATE ${table} SET ${column} = $1 WHERE ${tenant} = $2 AND ${row}::text = $3 AND ${column} = $4`,
        [anew, atTenant, atRow, sealed],
      )
      sum.resealed += rowCount ?? 0
    } catch (err) {
      sum.unopened++
      logger.error({ err, table, column, row: atRow, merchant_id: atTenant }, 'a secret cannot be opened, and stays')
    }
  }
}
