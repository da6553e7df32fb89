import pg from 'pg'

/** Numbers of rows that others remember: versions of facts, attempts that are part of keys, positions in a log. */
export interface Counter {
  table: string
  /** Its primary key, a uuid. */
  key: string
  columns: readonly string[]
}

const PAGE = 2_000
/** No row changes as often within the hour that lies between two floors. */
const STEP = 4_096
/** Higher in every hour than whatever was counted up from the floor of an earlier one; ints last until 2085. */
const FLOOR = `${STEP} * floor(extract(epoch FROM clock_timestamp() - timestamptz '2026-01-01Z') / 3600)::int`

/**
 * Raises the counters of a database that was restored above all that they had reached before: what is counted on from
 * there bears no number, and so no id and no key, that another change has borne. May be repeated, and taken up where it
 * was cut short. Answers how many rows there are.
 */
export async function raiseVersions(workerUrl: string, counters: readonly Counter[]): Promise<number> {
  const worker = new pg.Client({ connectionString: workerUrl })
  await worker.connect()
  try {
    let raised = 0
    for (const counter of counters) raised += await raise(worker, counter)
    return raised
  } finally {
    await worker.end()
  }
}

async function raise(worker: pg.Client, { table, key, columns }: Counter): Promise<number> {
  const set = columns.map((column) => `${column} = greatest(${column} + ${STEP}, ${FLOOR})`).join(', ')
  let after: string | null = null
  for (let total = 0; ; ) {
    const { rows }: { rows: Array<{ key: string }> } = await worker.query(
      `WITH page AS (SELECT ${key} AS key FROM ${table} WHERE $1::uuid IS NULL OR ${key} > $1 ORDER BY ${key} LIMIT ${PAGE}),
            raised AS (UPDATE ${table} SET ${set} FROM page WHERE ${table}.${key} = page.key)
       SELECT key FROM page ORDER BY key`,
      [after],
    )
    total += rows.length
    after = rows.at(-1)?.key ?? null
    if (rows.length < PAGE) return total
  }
}
