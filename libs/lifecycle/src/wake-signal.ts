/** A sleep that can be cut short; a wake-up between two sleeps ends the next one at once. */
export interface WakeSignal {
  wake: () => void
  /** Without a limit it lasts until the wake-up. */
  sleep(timeoutMs?: number): Promise<void>
}

/** Makes a signal that is not yet woken. One loop sleeps on it at a time; any number may wake it. */
export function wakeSignal(): WakeSignal {
  let isWoken = false
  let wakeSleeper: (() => void) | undefined
  return {
    wake() {
      isWoken = true
      wakeSleeper?.()
    },
    async sleep(timeoutMs) {
      if (!isWoken) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wakeSleeper = resolve
        const timer = timeoutMs === undefined ? undefined : setTimeout(resolve, timeoutMs)
        await promise
        clearTimeout(timer)
        wakeSleeper = undefined
      }
      isWoken = false
    },
  }
}
