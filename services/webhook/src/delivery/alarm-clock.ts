export interface AlarmClock {
  /** Ends the present sleep, or the next one at once. */
  wake: () => void
  sleep(ms: number): Promise<void>
}

/** A sleep that can be cut short; a wake-up between two sleeps is not lost. */
export function alarmClock(): AlarmClock {
  let rung = false
  let ring: (() => void) | null = null
  return {
    wake() {
      rung = true
      ring?.()
    },
    async sleep(ms) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          ring = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        ring = null
      }
      rung = false
    },
  }
}
