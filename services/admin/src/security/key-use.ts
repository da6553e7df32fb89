import type { Database } from '@svc/database'
import type { Part } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'

const logger = createLogger('key-use')
const FLUSH_EVERY_MS = 10_000

export interface KeyUse extends Part {
  /** Remembers that the key was used. */
  note(keyId: string): void
  flush(): Promise<void>
}

/** Writes `last_used_at` of all keys in use with one statement every ten seconds, not one per request. */
export function createKeyUse(database: Database): KeyUse {
  const used = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const flush = async () => {
    if (used.size === 0) return
    const keyIds = [...used]
    used.clear()
    await database.worker.query(
      // In one order everywhere, so that two replicas never wait for each other in a circle.
      `UPDATE api_keys SET last_used_at = app_now() WHERE id IN
         (SELECT id FROM api_keys WHERE key_id = ANY($1) ORDER BY id FOR NO KEY UPDATE)`,
      [keyIds],
    )
  }

  return {
    name: 'key-use',
    note: (keyId) => void used.add(keyId),
    flush,
    async start() {
      timer = setInterval(() => {
        flush().catch((err: unknown) => logger.warn({ err }, 'the last use of keys was not written'))
      }, FLUSH_EVERY_MS)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
