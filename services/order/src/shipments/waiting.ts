/** The shipments whose submit somebody waits for in this process. */
export class Waiting {
  readonly #counts = new Map<string, number>()

  has(shipmentId: string): boolean {
    return this.#counts.has(shipmentId)
  }

  /** Somebody waits for it until the work ends. */
  async during<T>(shipmentId: string, work: () => Promise<T>): Promise<T> {
    this.#add(shipmentId, 1)
    try {
      return await work()
    } finally {
      this.#add(shipmentId, -1)
    }
  }

  #add(shipmentId: string, change: 1 | -1): void {
    const count = (this.#counts.get(shipmentId) ?? 0) + change
    if (count === 0) this.#counts.delete(shipmentId)
    else this.#counts.set(shipmentId, count)
  }
}
