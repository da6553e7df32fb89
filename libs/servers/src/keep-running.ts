import { setTimeout as wait } from 'node:timers/promises'
import type { Child } from './child.ts'

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 10_000
/** A process that ran this long had started well, so its end is no reason for a longer pause. */
const STEADY_MS = 10_000

export interface KeptRunning {
  /** How often the process ended without being asked to. */
  ends(): number
  /** Sends a signal to the process that runs now; it is started again when it ends. */
  kill(signal: NodeJS.Signals): void
  stop(): Promise<void>
}

/** Starts a process again whenever it ends, after a pause that doubles while it fails at once. */
export function keepRunning(
  first: Child,
  start: () => Promise<{ child: Child }>,
  report: (line: string) => void = () => {},
): KeptRunning {
  const stopping = new AbortController()
  const { signal } = stopping
  let child = first
  let ends = 0

  const watch = async () => {
    let pauseMs = FIRST_PAUSE_MS
    for (;;) {
      const startedAt = Date.now()
      const end = await child.exited
      if (signal.aborted) return
      ends++
      if (Date.now() - startedAt > STEADY_MS) pauseMs = FIRST_PAUSE_MS
      report(`${end}; it is started again in ${pauseMs} ms`)
      await wait(pauseMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      await start().then(
        (again) => {
          child = again.child
        },
        (error: Error) => report(error.message),
      )
      if (signal.aborted) return child.stop()
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }
  const watching = watch()

  return {
    ends: () => ends,
    kill: (name) => child.kill(name),
    stop: async () => {
      stopping.abort()
      await child.stop()
      await watching
    },
  }
}
