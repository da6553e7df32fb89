import type { Database } from '@svc/database'
import { type Part, repeatedly } from '@svc/lifecycle'
import { storeKeyUse } from '../db/api-keys.ts'
import { type DigestMadeAnew, storeDigests } from '../db/key-digests.ts'

const FLUSH_EVERY_MS = 10_000

export interface KeyUse extends Part {
  /** Remembers that the key was used. */
  note(keyId: string): void
  /** Remembers what takes the place of the digest of a key, which a former pepper has made. */
  noteFormer(digest: DigestMadeAnew): void
  flush(): Promise<void>
}

/**
 * Writes `last_used_at` of all keys in use with one statement every ten seconds, not one per request; and with another, where
 * there are any, the digests that the first pepper has made anew.
 */
export function createKeyUse({ worker }: Database): KeyUse {
  const used = new Set<string>()

  const madeAnew = new Map<string, DigestMadeAnew>()

  const flush = async () => {
    const [keyIds, digests] = [[...used], [...madeAnew.values()]]
    used.clear()
    madeAnew.clear()
    if (keyIds.length > 0) await storeKeyUse(worker, keyIds)
    if (digests.length > 0) await storeDigests(worker, digests)
  }

  const flushing = repeatedly({ name: 'key-use', everyMs: FLUSH_EVERY_MS, work: flush })
  return {
    ...flushing,
    note: (keyId) => void used.add(keyId),
    noteFormer: (digest) => void madeAnew.set(digest.keyId, digest),
    flush,
    async stop() {
      await flushing.stop()
      await flush()
    },
  }
}
