/** A sleep that can be cut short; a wake-up that comes while nobody sleeps is not lost. */
export interface WakeSignal {
  wake: () => void
  sleep(timeoutMs: number): Promise<void>
}

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
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>((resolve) => {
          wakeSleeper = resolve
          timer = setTimeout(resolve, timeoutMs)
        })
        clearTimeout(timer)
        wakeSleeper = undefined
      }
      isWoken = false
    },
  }
}
