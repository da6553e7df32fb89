import { randomUUID } from 'node:crypto'
import pg from 'pg'

const DEBOUNCE_MS = 10
/** A connection that falls silent between its opening and LISTEN would else hold up its caller for good. */
const LISTEN_TIMEOUT_MS = 5_000

export interface WakeChannel {
  /**
   * Wakes the other processes: at once, or where it did so less than 10 ms ago, when these are over. Outside every
   * transaction: NOTIFY would serialize their commits.
   */
  notify(): void
  /** Listens, anew where the connection was lost. */
  listen: () => Promise<void>
  close(): void
}

/** Wake-ups between the replicas of a service. A process does not hear itself; a wake-up that is lost costs one poll. */
export function wakeChannel(pool: pg.Pool, channel: string, onWake: () => void): WakeChannel {
  const self = randomUUID()
  let listener: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isWanted = false

  function send(): void {
    isWanted = false
    timer = setTimeout(() => {
      timer = undefined
      if (isWanted) send()
    }, DEBOUNCE_MS)
    pool.query('SELECT pg_notify($1, $2)', [channel, self]).catch(() => undefined)
  }

  function drop(): void {
    const dropped = listener
    listener = undefined
    dropped?.end().catch(() => undefined)
  }

  return {
    notify() {
      if (timer) isWanted = true
      else send()
    },
    async listen() {
      if (listener) return
      // A connection beside the pool: a listener inside would take one of its places for good.
      const client = new pg.Client({ ...pool.options, query_timeout: LISTEN_TIMEOUT_MS })
      listener = client
      client.on('notification', ({ payload }) => {
        if (payload !== self) onWake()
      })
      client.on('error', () => {
        if (listener === client) drop()
      })
      try {
        await client.connect()
        await client.query(`LISTEN ${channel}`)
      } catch (error) {
        drop()
        throw error
      }
    },
    close() {
      clearTimeout(timer)
      drop()
    },
  }
}
