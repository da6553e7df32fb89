import type { ObjectStore } from './object-store.ts'

/** Objects that go in one bite. */
const BATCH = 100

/** Where the row of an object stands among those that are to go. */
export interface ObjectAge {
  storageKey: string
  /** To the microsecond: what is cut shorter comes before its own row, which would be found again. */
  at: string
}

interface Rows {
  /** The oldest that are to go, of those behind `after`. */
  oldest(after: ObjectAge | null, limit: number): Promise<ObjectAge[]>
  /** Deletes the rows of objects that are gone. */
  remove(storageKeys: readonly string[]): Promise<void>
  /** Hears of so many that the store did not let go, and why it kept the last of them. */
  kept(error: unknown, count: number): void
}

/**
 * Removes objects that are past their time, each before its row: one that the store does not let go keeps both until the
 * next time, and holds up no other. Replicas may do it at once. Without a store the rows go alone.
 */
export async function removeWithRows(
  store: Pick<ObjectStore, 'remove'> | null,
  rows: Rows,
  stopping: AbortSignal,
): Promise<void> {
  let after: ObjectAge | null = null
  while (!stopping.aborted) {
    const found: ObjectAge[] = await rows.oldest(after, BATCH)
    const removed: string[] = []
    let error: unknown
    for (const { storageKey } of found) {
      if (stopping.aborted) break
      try {
        await store?.remove(storageKey)
        removed.push(storageKey)
      } catch (err) {
        error = err
      }
    }
    await rows.remove(removed)
    if (error !== undefined) rows.kept(error, found.length - removed.length)
    if (found.length < BATCH) return
    after = found.at(-1)!
  }
}
