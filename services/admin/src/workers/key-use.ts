import type { Database } from '@svc/database'
import { type Part, repeatedly } from '@svc/lifecycle'
import { storeKeyUse } from '../db/api-keys.ts'

const FLUSH_EVERY_MS = 10_000

export interface KeyUse extends Part {
  /** Remembers that the key was used. */
  note(keyId: string): void
  flush(): Promise<void>
}

/** Writes `last_used_at` of all keys in use with one statement every ten seconds, not one per request. */
export function createKeyUse({ worker }: Database): KeyUse {
  const used = new Set<string>()

  const flush = async () => {
    if (used.size === 0) return
    const keyIds = [...used]
    used.clear()
    await storeKeyUse(worker, keyIds)
  }

  const flushing = repeatedly({ name: 'key-use', everyMs: FLUSH_EVERY_MS, work: flush })
  return {
    ...flushing,
    note: (keyId) => void used.add(keyId),
    flush,
    async stop() {
      await flushing.stop()
      await flush()
    },
  }
}
