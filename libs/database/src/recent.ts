const MAX_KEPT = 10_000

/** What was learnt last, of so many keys and no more: the key that was learnt longest ago makes room. */
export class Recent<Value> {
  readonly #kept = new Map<string, Value>()

  get(key: string): Value | undefined {
    return this.#kept.get(key)
  }

  set(key: string, value: Value): void {
    this.#kept.delete(key)
    this.#kept.set(key, value)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest)
  }

  delete(key: string): void {
    this.#kept.delete(key)
  }
}
