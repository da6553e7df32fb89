import type { Limit } from './limits.ts'

/** A limit that is looked at, after what has happened since is counted. */
export interface Looked {
  limit: Limit
  happened: number
}

/** How one limit stands by itself. */
export interface Stand {
  admitted: boolean
  remaining: number
  resetSeconds: number
}

/** Of one call: whoever else asks Redis meanwhile waits for it. */
const MOST_LIMITS = 500

interface Turn {
  asked: Map<string, Looked>
  stands: Promise<ReadonlyMap<string, Stand>>
}

/**
 * Looks at limits, each by itself, and counts what has happened: all that is asked in one turn of the event loop in one
 * call, and a limit that several ask about once. What happened in a turn is counted before anything of it is looked at.
 */
export class TurnOfLimits {
  readonly #ask: (looked: readonly Looked[]) => Promise<readonly Stand[]>
  #turn: Turn | undefined

  constructor(ask: (looked: readonly Looked[]) => Promise<readonly Stand[]>) {
    this.#ask = ask
  }

  /** How they stand; `happened` times more of each is counted first. */
  async look(limits: readonly Limit[], happened = 0): Promise<Stand[]> {
    this.#turn ??= this.#begin()
    const { asked, stands } = this.#turn
    for (const limit of limits) {
      const name = nameOf(limit)
      const known = asked.get(name)
      if (known) known.happened += happened
      else asked.set(name, { limit, happened })
    }
    const found = await stands
    return limits.map((limit) => found.get(nameOf(limit)) as Stand)
  }

  #begin(): Turn {
    const asked: Turn['asked'] = new Map()
    const { promise, resolve } = Promise.withResolvers<ReadonlyMap<string, Stand>>()
    setImmediate(() => {
      this.#turn = undefined
      resolve(this.#found([...asked]))
    })
    return { asked, stands: promise }
  }

  async #found(asked: ReadonlyArray<[string, Looked]>): Promise<ReadonlyMap<string, Stand>> {
    const parts: Array<typeof asked> = []
    for (let at = 0; at < asked.length; at += MOST_LIMITS) parts.push(asked.slice(at, at + MOST_LIMITS))
    const found = await Promise.all(
      parts.map(async (part) => {
        const stands = await this.#ask(part.map(([, looked]) => looked))
        return part.map(([name], place) => [name, stands[place] as Stand] as const)
      }),
    )
    return new Map(found.flat())
  }
}

/** What is counted together, whoever asks: one key in Redis. */
const nameOf = ({ key, windowSeconds }: Limit): string => `${windowSeconds}:${key}`
