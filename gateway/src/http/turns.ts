/** Tells one that waits whether its turn has come, or that another has its place. */
type Tell = (isTurn: boolean) => void

interface Line {
  /** With the one that runs. */
  length: number
  /** Those that wait, by who sent them, in the order in which these have their turns. */
  waiting: Map<string, Tell[]>
}

/** Lets what bears one key run one after the other; who sends much of it waits behind who sends little. */
export class Turns {
  readonly #lines = new Map<string, Line>()
  readonly #most: number

  /** Where `most` of one key run or wait, the next has the place of the newest of whoever has most, or gets no turn. */
  constructor(most: number) {
    this.#most = most
  }

  /** What the work of a sender comes to; undefined, without running it, where it gets no turn. */
  async take<T>(key: string, sender: string, work: () => Promise<T>): Promise<T | undefined> {
    const line = this.#lines.get(key) ?? { length: 0, waiting: new Map<string, Tell[]>() }
    if (line.length >= this.#most && !displace(line, sender)) return undefined
    line.length++
    this.#lines.set(key, line)
    if (line.length > 1 && !(await place(line, sender))) return undefined
    try {
      return await work()
    } finally {
      this.#leave(key, line)
    }
  }

  #leave(key: string, line: Line): void {
    line.length--
    const [next] = line.waiting
    if (!next) {
      this.#lines.delete(key)
      return
    }
    const [sender, tells] = next
    const tell = tells.shift()
    line.waiting.delete(sender)
    // Behind all others.
    if (tells.length > 0) line.waiting.set(sender, tells)
    tell?.(true)
  }
}

function place({ waiting }: Line, sender: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  waiting.set(sender, [...(waiting.get(sender) ?? []), resolve])
  return promise
}

/** Takes the newest place from whoever has most of them, unless the sender would then have more. */
function displace(line: Line, sender: string): boolean {
  const own = line.waiting.get(sender)?.length ?? 0
  const [most] = [...line.waiting.values()].toSorted((a, b) => b.length - a.length)
  if (!most || most.length <= own + 1) return false
  line.length--
  most.pop()?.(false)
  return true
}
