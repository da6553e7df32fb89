import { randomUUID } from 'node:crypto'
import type { Database } from '@svc/database'
import type { Part } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'

const CHANNEL = 'webhook_delivery'
const DEBOUNCE_MS = 20
const LISTEN_CHECK_MS = 5_000

const logger = createLogger('webhook.wake')

/**
 * Wakes delivery workers after a commit: this process's at once, those of other replicas by a debounced NOTIFY. A wake-up
 * that is lost costs one poll interval.
 */
export function wakeChannel({
  database,
  onWake,
}: {
  database: Database
  onWake: () => void
}): Part & { wake: () => void } {
  const self = randomUUID()
  let drop: (() => void) | undefined
  let listening: Promise<void> = Promise.resolve()
  let checking: NodeJS.Timeout | undefined
  let notifying: NodeJS.Timeout | undefined

  async function listen(): Promise<void> {
    if (drop) return
    const client = await database.worker.connect()
    drop = () => {
      drop = undefined
      client.release(true)
    }
    client.once('error', () => drop?.())
    client.on('notification', ({ payload }) => {
      if (payload !== self) onWake()
    })
    await client.query(`LISTEN ${CHANNEL}`)
  }

  const keepListening = () => {
    listening = listen().catch((err) => {
      logger.warn({ err }, 'listening failed; the next check tries again')
      drop?.()
    })
  }

  function notify(): void {
    notifying = undefined
    database.worker
      .query('SELECT pg_notify($1, $2)', [CHANNEL, self])
      .catch((err) => logger.warn({ err }, 'other replicas were not woken'))
  }

  return {
    name: 'wake',
    wake() {
      onWake()
      if (checking) notifying ??= setTimeout(notify, DEBOUNCE_MS)
    },
    async start() {
      checking = setInterval(keepListening, LISTEN_CHECK_MS)
      keepListening()
      await listening
    },
    async stop() {
      clearInterval(checking)
      clearTimeout(notifying)
      checking = undefined
      await listening
      drop?.()
    },
  }
}
