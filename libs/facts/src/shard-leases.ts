import { SHARDS } from '@svc/transact'
import type pg from 'pg'

const LEASE_MS = 20_000
/** Nothing is sent in the last moments of a lease: the send itself takes time. */
const MARGIN_MS = 2_000

export interface ShardLeases {
  /** The shards that this holder may publish, with the epoch that fences it. */
  held(): ReadonlyMap<number, number>
  /** Takes free shards and prolongs held ones. */
  keep(): Promise<void>
  /** Lets others take the shards at once. */
  release(): Promise<void>
}

/**
 * The shards of the outbox, each held by one relay at a time; every take-over raises the shard's epoch. A holder that
 * starts takes over at once what an earlier process of the same name held. The database's real clock decides.
 */
export function shardLeases(worker: pg.Pool, holder: string): ShardLeases {
  let epochs = new Map<number, number>()
  let keptAt = Number.NEGATIVE_INFINITY
  let isFirst = true
  let keeping: Promise<void> | undefined

  async function renew(): Promise<Map<number, number>> {
    if (epochs.size === 0) return new Map()
    return toMap(
      await worker.query<LeaseRow>(
        `UPDATE shard_lease SET until = clock_timestamp() + $2 * interval '1 ms'
          WHERE holder = $1 AND epoch = ($3::bigint[])[${SHARD_OF_NAME} + 1] RETURNING ${LEASE_COLUMNS}`,
        [holder, LEASE_MS, epochList(epochs)],
      ),
    )
  }

  async function take(): Promise<Map<number, number>> {
    return toMap(
      await worker.query<LeaseRow>(
        `UPDATE shard_lease SET holder = $1, epoch = epoch + 1, until = clock_timestamp() + $2 * interval '1 ms'
          WHERE name LIKE 'outbox-%' AND (until IS NULL OR until <= clock_timestamp() OR (holder = $1 AND $3))
          RETURNING ${LEASE_COLUMNS}`,
        [holder, LEASE_MS, isFirst],
      ),
    )
  }

  async function keepOnce(): Promise<void> {
    const askedAt = performance.now()
    const renewed = await renew()
    const taken = renewed.size < SHARDS ? await take() : new Map<number, number>()
    epochs = new Map([...renewed, ...taken])
    isFirst = false
    keptAt = askedAt
  }

  return {
    held: () => (performance.now() - keptAt < LEASE_MS - MARGIN_MS ? epochs : new Map()),
    keep() {
      keeping ??= keepOnce().finally(() => {
        keeping = undefined
      })
      return keeping
    },
    async release() {
      await worker.query(
        `UPDATE shard_lease SET until = NULL
          WHERE holder = $1 AND epoch = ($2::bigint[])[${SHARD_OF_NAME} + 1]`,
        [holder, epochList(epochs)],
      )
      epochs = new Map()
    },
  }
}

interface LeaseRow {
  shard: number
  epoch: number
}

const SHARD_OF_NAME = `substr(name, length('outbox-') + 1)::int`
const LEASE_COLUMNS = `${SHARD_OF_NAME} AS shard, epoch`

const toMap = ({ rows }: pg.QueryResult<LeaseRow>) => new Map(rows.map(({ shard, epoch }) => [shard, epoch]))

/** By shard; null where the shard is not held, which equals no epoch. */
export function epochList(epochs: ReadonlyMap<number, number>): Array<number | null> {
  return Array.from({ length: SHARDS }, (_, shard) => epochs.get(shard) ?? null)
}
