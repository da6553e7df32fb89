import { createLogger } from '@svc/logging'
import type { Part } from './part.ts'

interface Chore {
  name: string
  /** From the end of one round to the beginning of the next. */
  everyMs: number
  /** One round; the signal is aborted when the process stops. */
  work: (signal: AbortSignal) => Promise<unknown>
}

const logger = createLogger('chores')

/**
 * Runs `work` at start, and again `everyMs` after each round ends. A round that fails is logged and the next one tries
 * again; stopping waits for the round under way.
 */
export function repeatedly({ name, everyMs, work }: Chore): Required<Part> {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()

  async function once(): Promise<void> {
    try {
      await work(stopping.signal)
    } catch (err) {
      logger.warn({ err, chore: name }, 'a chore failed; the next round tries again')
    }
    if (!stopping.signal.aborted) timer = setTimeout(begin, everyMs)
  }

  function begin(): void {
    round = once()
  }

  return {
    name,
    async start() {
      begin()
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await round
    },
  }
}
