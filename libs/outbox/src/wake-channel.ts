import pg from 'pg'

const CHANNEL = 'outbox_wake'
const DEBOUNCE_MS = 10

export interface WakeChannel {
  /** Wakes the relays of other processes, at most once per 10 ms, outside every transaction: NOTIFY would serialize their commits. */
  notify(): void
  /** Listens, anew where the connection was lost. */
  listen(): Promise<void>
  close(): void
}

/** Wake-ups between the replicas of a service; losing one costs a poll interval and nothing else. */
export function wakeChannel(worker: pg.Pool, onWake: () => void): WakeChannel {
  let listener: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  function drop(): void {
    const dropped = listener
    listener = undefined
    dropped?.end().catch(() => undefined)
  }

  return {
    notify() {
      timer ??= setTimeout(() => {
        timer = undefined
        worker.query('SELECT pg_notify($1, $2)', [CHANNEL, '']).catch(() => undefined)
      }, DEBOUNCE_MS)
    },
    async listen() {
      if (listener) return
      // A connection beside the pool: a listener inside would take one of its places for good.
      const client = new pg.Client(worker.options)
      listener = client
      client.on('notification', onWake)
      client.on('error', () => {
        if (listener === client) drop()
      })
      try {
        await client.connect()
        await client.query(`LISTEN ${CHANNEL}`)
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
