import type { Endpoint, Endpoints } from './endpoints.ts'
import type { Replica } from './replica.ts'
import type { Outgoing, Settle, Transport } from './transport.ts'
import { UnreachableError } from './unreachable-error.ts'

const FIND_EVERY_MS = 15_000
/** While none is connected it is done sooner, and not for each call. */
const FIND_AGAIN_MS = 1_000

interface BalancedOptions {
  endpoints: Endpoints
  connect: (endpoint: Endpoint) => Replica
  /** How often names are looked up again. */
  findEveryMs?: number | undefined
}

/**
 * Each call goes to the next replica in turn. One that certainly did not reach its replica goes to the next, once round;
 * any other is never repeated.
 */
export class BalancedTransport implements Transport {
  readonly #endpoints: Endpoints
  readonly #connect: BalancedOptions['connect']
  readonly #findEveryMs: number
  #byTarget = new Map<string, Replica>()
  #replicas: Replica[] = []
  #turn = 0
  #finding: Promise<void> | undefined
  #foundAtMs = 0
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor({ endpoints, connect, findEveryMs = FIND_EVERY_MS }: BalancedOptions) {
    this.#endpoints = endpoints
    this.#connect = connect
    this.#findEveryMs = findEveryMs
    if (!endpoints.hasNames) this.#take(endpoints.known)
  }

  send(call: Outgoing, settle: Settle): () => void {
    return this.#replicas.length > 0 ? this.#sendInTurn(call, settle) : this.#sendOnceFound(call, settle)
  }

  /** No further calls; what waits for its answer still gets it. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    this.#take([])
  }

  #sendInTurn(call: Outgoing, settle: Settle): () => void {
    const tried: Replica[] = []
    let cancelAttempt: () => void
    let isCancelled = false
    const attempt = (replica: Replica): void => {
      tried.push(replica)
      cancelAttempt = replica.send(call, (error, response) => {
        const other = !isCancelled && wasNotSent(error) && call.deadlineMs > Date.now() && this.#next(tried)
        if (other) attempt(other)
        else settle(error, response)
      })
    }
    attempt(this.#next(tried) as Replica)
    return () => {
      isCancelled = true
      cancelAttempt()
    }
  }

  #sendOnceFound(call: Outgoing, settle: Settle): () => void {
    let isWaiting = true
    const giveUp = (): void => {
      if (!isWaiting) return
      isWaiting = false
      clearTimeout(timer)
      settle(new UnreachableError('no'))
    }
    let cancel = giveUp
    const timer = setTimeout(giveUp, Math.max(1, call.deadlineMs - Date.now()))
    void this.#find().then(() => {
      if (!isWaiting) return
      if (this.#replicas.length === 0) return giveUp()
      isWaiting = false
      clearTimeout(timer)
      cancel = this.#sendInTurn(call, settle)
    })
    return () => cancel()
  }

  /** Of those not tried, and of these one that is connected if there is any. */
  #next(tried: readonly Replica[]): Replica | undefined {
    const untried = tried.length === 0 ? this.#replicas : this.#replicas.filter((replica) => !tried.includes(replica))
    const ready = untried.filter((replica) => replica.isReady())
    if (ready.length === 0 && tried.length === 0) this.#findAgain()
    const candidates = ready.length > 0 ? ready : untried
    const next = candidates[this.#turn % candidates.length]
    this.#turn = (this.#turn + 1) % Number.MAX_SAFE_INTEGER
    return next
  }

  /** Those of whom we know may all be gone, and others in their place. */
  #findAgain(): void {
    if (this.#endpoints.hasNames && Date.now() - this.#foundAtMs >= FIND_AGAIN_MS) void this.#find()
  }

  async #find(): Promise<void> {
    if (this.#isClosed) return
    this.#foundAtMs = Date.now()
    this.#timer ??= setInterval(() => void this.#find(), this.#findEveryMs).unref()
    this.#finding ??= this.#endpoints.find()
    await this.#finding
    this.#finding = undefined
    if (!this.#isClosed) this.#take(this.#endpoints.known)
  }

  #take(endpoints: readonly Endpoint[]): void {
    const before = this.#byTarget
    this.#byTarget = new Map()
    for (const endpoint of endpoints) {
      const { target } = endpoint
      if (!this.#byTarget.has(target)) this.#byTarget.set(target, before.get(target) ?? this.#connect(endpoint))
    }
    this.#replicas = [...this.#byTarget.values()]
    for (const [target, replica] of before) if (!this.#byTarget.has(target)) replica.close()
  }
}

const wasNotSent = (error: Error | null) => error instanceof UnreachableError && error.applied === 'no'
