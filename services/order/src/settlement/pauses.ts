import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_MS = 25
const LONGEST_MS = 400

/** Turns of a loop that waits for something: the first at once, the others after pauses that grow, none beyond `until`. */
export async function* pauses(until: number): AsyncGenerator<void> {
  for (let pauseMs = FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_MS)) {
    yield
    if (performance.now() + pauseMs > until) return
    await sleep(pauseMs)
  }
}
