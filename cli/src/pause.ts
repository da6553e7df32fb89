import { setTimeout } from 'node:timers/promises'

/** So long, or until the signal says that it is over. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => undefined)
