import { once } from 'node:events'
import { inspect } from 'node:util'
import { progress } from './progress.ts'

export interface Session {
  /** Aborted when the run is asked to stop. */
  signal: AbortSignal
  /** Names what was started (or '' for what a user does not wait for) and how it is stopped; the newest is stopped first. */
  onStop(what: string, stop: () => void | Promise<void>): void
}

/**
 * Starts, waits for Ctrl-C or SIGTERM, and stops everything in reverse; the same when the start fails or is interrupted.
 * Ends the process, with 1 when the start failed.
 */
export async function runUntilStopped(start: (session: Session) => Promise<void>): Promise<never> {
  const request = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => request.abort())
  const stops: Array<{ what: string; stop: () => void | Promise<void> }> = []

  let failure: unknown
  try {
    await start({ signal: request.signal, onStop: (what, stop) => stops.unshift({ what, stop }) })
    if (!request.signal.aborted) await once(request.signal, 'abort')
  } catch (error) {
    if (!request.signal.aborted) failure = error
  }
  for (const { what, stop } of stops) {
    if (what) progress(`stopping ${what}`)
    await stop()
  }
  if (failure) process.stderr.write(`${failure instanceof Error ? failure.message : inspect(failure)}\n`)
  process.exit(failure ? 1 : 0)
}
