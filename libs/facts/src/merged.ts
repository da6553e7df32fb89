import { setImmediate as nextTurn } from 'node:timers/promises'

interface Waiting<Item> {
  items: readonly Item[]
  resolve: (isDone: boolean) => void
  reject: (error: unknown) => void
}

/**
 * Gives `work` one lot of items at a time: everything that callers bring while a lot is at work, and what the partitions
 * of one fetch bring in one turn of the event loop, is the next lot. Each caller gets the outcome of its lot.
 */
export function merged<Item>(
  work: (items: readonly Item[]) => Promise<boolean>,
): (items: readonly Item[]) => Promise<boolean> {
  let waiting: Waiting<Item>[] = []
  let isWorking = false

  async function workOff(): Promise<void> {
    isWorking = true
    await nextTurn()
    while (waiting.length > 0) {
      const lot = waiting
      waiting = []
      try {
        const isDone = await work(lot.flatMap(({ items }) => items))
        for (const { resolve } of lot) resolve(isDone)
      } catch (error) {
        for (const { reject } of lot) reject(error)
      }
    }
    isWorking = false
  }

  return (items) => {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    waiting.push({ items, resolve, reject })
    if (!isWorking) void workOff()
    return promise
  }
}
