import { AsyncLocalStorage } from 'node:async_hooks'

interface Work<Item, Result> {
  /** At most so many items at once. */
  limit: number
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

/**
 * A function that does one item. An item that finds nothing under way starts at once; those that come meanwhile wait for
 * it and then go together. When that fails each is done alone, so that no item suffers for another.
 */
export function batched<Item, Result>(work: Work<Item, Result>): (item: Item) => Promise<Result> {
  const queue: Waiting<Item, Result>[] = []
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

  async function drain(): Promise<void> {
    isBusy = true
    while (queue[0]) await queue[0].inContext(() => round(queue.splice(0, work.limit)))
    isBusy = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject, inContext: AsyncLocalStorage.snapshot() })
      if (!isBusy) void drain()
    })
}
