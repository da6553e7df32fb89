import { createLogger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import type { Part } from './part.ts'
import { repeatedly } from './repeatedly.ts'

const logger = createLogger('sweeper')
/** Rows that go in one transaction. */
const CHUNK = 5_000

/** Rows that nothing needs any more once they are as old as they are kept. */
export interface Expiry {
  table: string
  /** The column that tells their age. A B-tree begins with it (of those of `where`), or a sweep would read the table. */
  age: string
  /** How long they are kept, an interval in SQL. */
  keep: string
  /** The clock that `age` was read from. */
  clock?: 'app_now()' | 'clock_timestamp()'
  /** Only these expire. */
  where?: string
  /** What goes with them in the same transaction: statements over the rows of `removed`. */
  along?: readonly string[]
  /** Rows that go in one transaction, where more hangs on each. */
  chunk?: number
}

interface Database {
  query<Row extends object>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>
}

interface Sweeping {
  name: string
  /** Of the metric. */
  service: string
  /** Connections of the worker role. */
  worker: Database
  everyMs: number
  expiries: readonly Expiry[]
  /** What is removed in another way, and only measured here. */
  others?: readonly Expiry[]
}

/**
 * Removes expired rows at intervals, at the cost of what it removes. Replicas take turns chunk by chunk; a table that
 * fails holds up no other. `expired_oldest_seconds` shows at each scrape where sweeping falls behind.
 */
export function sweeper({ name, service, worker, everyMs, expiries, others = [] }: Sweeping): Required<Part> {
  const chore = repeatedly({ name, everyMs, work: (stopping) => sweep(worker, expiries, stopping) })
  let stopObserving = () => {}
  return {
    name,
    async start() {
      stopObserving = metrics.gauge(
        'expired_oldest_seconds',
        'For how long the oldest row of a table has been older than rows are kept',
        async () => {
          const oldest = new Map<string, number>()
          for (const expiry of [...expiries, ...others]) {
            const seconds = await oldestOf(worker, expiry)
            oldest.set(expiry.table, Math.max(seconds, oldest.get(expiry.table) ?? 0))
          }
          return [...oldest].map(([table, value]) => ({ value, labels: { service, table } }))
        },
      )
      await chore.start()
    },
    async stop() {
      stopObserving()
      await chore.stop()
    },
  }
}

/** One round; ends after the chunk under way when stopped. */
export async function sweep(worker: Database, expiries: readonly Expiry[], stopping?: AbortSignal): Promise<void> {
  for (const expiry of expiries) {
    try {
      const { chunk = CHUNK } = expiry
      let removed = chunk
      while (removed === chunk && !stopping?.aborted) removed = await removeChunk(worker, expiry)
    } catch (err) {
      logger.error({ err, table: expiry.table, alert: 'sweep_failed' }, 'expired rows stay until the next round')
    }
  }
}

/** The clock is read once: a function that may change within a statement is no condition of an index. */
const isExpired = ({ age, keep, clock = 'app_now()', where }: Expiry): string =>
  `${age} < (SELECT ${clock} - ${keep})${where ? ` AND ${where}` : ''}`

/** Where another replica sweeps the table at this moment nothing is removed. The lock ends with the statement. */
async function removeChunk(worker: Database, expiry: Expiry): Promise<number> {
  const { table, age, along = [], chunk = CHUNK } = expiry
  const others = along.map((statement, index) => `, along_${index} AS (${statement})`)
  const { rows } = await worker.query<{ removed: number }>(`
    WITH removed AS (
      DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${table}
         WHERE ${isExpired(expiry)} AND (SELECT pg_try_advisory_xact_lock(hashtext('sweep ${table}')))
         ORDER BY ${age} LIMIT ${chunk}))
      RETURNING *)${others.join('')}
    SELECT count(*)::int AS removed FROM removed`)
  return rows[0]?.removed ?? 0
}

async function oldestOf(worker: Database, expiry: Expiry): Promise<number> {
  const { table, age, keep, clock = 'app_now()' } = expiry
  const { rows } = await worker.query<{ seconds: number }>(
    `SELECT extract(epoch FROM ${clock} - ${keep} - ${age})::float8 AS seconds FROM ${table}
      WHERE ${isExpired(expiry)} ORDER BY ${age} LIMIT 1`,
  )
  return rows[0]?.seconds ?? 0
}
