interface Queue {
  last: Promise<unknown>
  length: number
}

/** Lets what bears one key run one after the other. */
export class Turns {
  readonly #queues = new Map<string, Queue>()
  readonly #most: number

  /** Where `most` of one key run or wait, the next gets no turn. */
  constructor(most: number) {
    this.#most = most
  }

  take<T>(key: string, work: () => Promise<T>): Promise<T> | undefined {
    const queue = this.#queues.get(key) ?? { last: Promise.resolve(), length: 0 }
    if (queue.length >= this.#most) return undefined
    queue.length++
    this.#queues.set(key, queue)
    const turn = queue.last.then(work)
    const leave = () => {
      queue.length--
      if (queue.length === 0) this.#queues.delete(key)
    }
    queue.last = turn.then(leave, leave)
    return turn
  }
}
