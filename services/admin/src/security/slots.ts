/** Runs work in at most `count` slots at a time; the rest waits in order. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>

/** Makes a set of slots. */
export function slots(count: number): Slots {
  const waiting: Array<() => void> = []
  let free = count
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
