import { AsyncLocalStorage } from 'node:async_hooks'

interface Work<Item, Result> {
  /** At most so many items at once. */
  limit: number
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
 * together; those that come meanwhile wait for them, a second at most, and then go together. When that fails each is done
 * alone, so that no item suffers for another.
 */
export function batched<Item, Result>(work: Work<Item, Result>): (item: Item) => Promise<Result> {
  const queue: Waiting<Item, Result>[] = []
  /** A round is under way, or begins when this turn ends. */
  let isBusy = false

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

  /** Has the next round begin when this turn ends, unless one is under way that may still be waited for. */
  function next(): void {
    if (isBusy || queue.length === 0) return
    isBusy = true
    setImmediate(begin)
  }

  function begin(): void {
    let isBehind = true
    const goOn = () => {
      clearTimeout(timer)
      if (!isBehind) return
      isBehind = false
      isBusy = false
      next()
    }
    const timer = setTimeout(goOn, PATIENCE_MS)
    const batch = take()
    void (batch[0] as Waiting<Item, Result>).inContext(() => round(batch)).then(goOn)
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject, inContext: AsyncLocalStorage.snapshot() })
      next()
    })
}
