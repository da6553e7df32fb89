/** When the next message of a key may go out, and the newest one that waits for it. */
interface Slot<T> {
  freeAtMs: number
  waiting: { value: T; timer: NodeJS.Timeout } | undefined
}

interface Options<T> {
  intervalMs: number
  send(value: T): void
}

/** Beyond this many keys, those that are at rest are forgotten. */
const SWEEP_AT = 10_000

/**
 * Lets through one message per key and interval. Of those that come too soon the last one goes out when the interval
 * ends: a rider that stops moving is shown where it stopped.
 */
export class Throttle<T> {
  readonly #slots = new Map<string, Slot<T>>()
  readonly #options: Options<T>

  constructor(options: Options<T>) {
    this.#options = options
  }

  offer(key: string, value: T): void {
    const nowMs = performance.now()
    const slot = this.#slots.get(key)
    if (slot?.waiting) slot.waiting.value = value
    else if (slot && slot.freeAtMs > nowMs) slot.waiting = { value, timer: this.#release(key, slot.freeAtMs - nowMs) }
    else this.#send(key, value, nowMs)
  }

  stop(): void {
    for (const { waiting } of this.#slots.values()) clearTimeout(waiting?.timer)
    this.#slots.clear()
  }

  #send(key: string, value: T, nowMs: number): void {
    if (this.#slots.size >= SWEEP_AT) this.#sweep(nowMs)
    this.#slots.set(key, { freeAtMs: nowMs + this.#options.intervalMs, waiting: undefined })
    this.#options.send(value)
  }

  #release(key: string, afterMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      const waiting = this.#slots.get(key)?.waiting
      if (waiting) this.#send(key, waiting.value, performance.now())
    }, afterMs)
  }

  #sweep(nowMs: number): void {
    for (const [key, { freeAtMs, waiting }] of this.#slots) {
      if (!waiting && freeAtMs <= nowMs) this.#slots.delete(key)
    }
  }
}
