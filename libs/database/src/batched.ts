import { AsyncLocalStorage } from 'node:async_hooks'

interface Work<Item, Result> {
  /** At most so many items at once. */
  limit: number
  /** Rounds that may be under way at a time; one unless told otherwise, for the more wait for it the less each costs. */
  atOnce?: number
  /** What an item weighs, and what several may together; one may always go. */
  weight?: { of(item: Item): number; limit: number }
  /** Does one item, however long that takes. */
  alone(item: Item): Promise<Result>
  /** Does all items or none, soon or not at all; answers in their order. */
  together(items: readonly Item[]): Promise<readonly Result[]>
  /** Whether an error of `together` proves that nothing was done. */
  isUndone(error: unknown): boolean
}

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result | Promise<Result>) => void
  reject: (error: unknown) => void
  /** Runs a function in the trace and with the log fields of the one who waits. */
  inContext: (run: () => Promise<void>) => Promise<void>
}

/** Nobody waits for longer behind what is under way: a connection that has died may take a quarter of an hour to say so. */
const PATIENCE_MS = 1_000

/**
 * A function that does one item. Items of one turn of the event loop, which is what came in one message of calls, go
 * together; those that come while as many rounds are under way as may be wait, a second at most, and then go together. When
 * that fails each is done alone, so that no item suffers for another.
 */
export function batched<Item, Result>(work: Work<Item, Result>): (item: Item) => Promise<Result> {
  const { atOnce = 1 } = work
  const queue: Waiting<Item, Result>[] = []
  /** Rounds that are under way and may still be waited for. */
  let running = 0
  /** One more begins when this turn ends. */
  let isBeginning = false

  async function round(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await work.together(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      const isWorthRepeating = work.isUndone(error)
      for (const { item, resolve, reject } of batch) {
        // Not awaited: those that come next need not wait for it.
        if (isWorthRepeating) resolve(work.alone(item))
        else reject(error)
      }
    }
  }

  /** Those that go next: as many as may. */
  function take(): Waiting<Item, Result>[] {
    const { limit, weight } = work
    let count = Math.min(queue.length, limit)
    if (weight) {
      let sum = 0
      const tooMany = queue.findIndex(({ item }, index) => {
        sum += weight.of(item)
        return index > 0 && sum > weight.limit
      })
      if (tooMany !== -1) count = Math.min(count, tooMany)
    }
    return queue.splice(0, count)
  }

  /** Has the next round begin when this turn ends, unless as many are under way as may be. */
  function next(): void {
    if (isBeginning || running >= atOnce || queue.length === 0) return
    isBeginning = true
    setImmediate(begin)
  }

  function begin(): void {
    isBeginning = false
    running += 1
    let isBehind = true
    const goOn = () => {
      clearTimeout(timer)
      if (!isBehind) return
      isBehind = false
      running -= 1
      next()
    }
    const timer = setTimeout(goOn, PATIENCE_MS)
    const batch = take()
    void (batch[0] as Waiting<Item, Result>).inContext(() => round(batch)).then(goOn)
    next()
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject, inContext: AsyncLocalStorage.snapshot() })
      next()
    })
}
