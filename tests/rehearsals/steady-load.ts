import { setTimeout as wait } from 'node:timers/promises'
import { Agent } from 'undici'
import { Api, orderBody } from '../journeys/merchant.ts'

/** One request as its client saw it. */
interface Asked {
  what: string
  at: number
  ms: number
  /** What was wrong with the answer, or with not getting one. */
  failure?: string
}

interface Rate {
  ordersPerSecond: number
  readsPerSecond: number
}

const PATIENCE_MS = 15_000

/**
 * Orders and reads at a steady rate, whether earlier ones have been answered or not, over connections that are kept. Nothing is
 * asked twice: any answer but 201 for an order and 200 for a read is a failure, and so is none.
 */
export function steadyLoad(baseUrl: string, headers: Record<string, string>, rate: Rate) {
  const patience = { headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS, connectTimeout: PATIENCE_MS }
  const dispatcher = new Agent({ keepAliveTimeout: 60_000, pipelining: 1, ...patience })
  const api = new Api(baseUrl, headers, dispatcher)
  const asked: Asked[] = []
  const orderIds: string[] = []
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()

  async function ask(what: string, expected: number, call: () => ReturnType<Api['get']>): Promise<void> {
    const at = performance.now()
    const failure = await call().then(
      ({ status, body }) => {
        if (status !== expected) return `${status} ${JSON.stringify(body)}`
        if (what === 'order') orderIds.push(body.order.id)
        return undefined
      },
      (error: Error) => `${error.message}: ${String(error.cause)}`,
    )
    asked.push({ what, at, ms: performance.now() - at, ...(failure !== undefined && { failure }) })
  }

  function start(work: Promise<void>): void {
    running.add(work)
    void work.finally(() => running.delete(work))
  }

  const order = () => start(ask('order', 201, () => api.post('/v1/orders', orderBody())))
  const read = (turn: number) => {
    const id = orderIds.at(-1)
    const path = turn % 2 === 0 && id !== undefined ? `/v1/orders/${id}` : '/v1/orders?limit=10'
    start(ask('read', 200, () => api.get(path)))
  }
  const loops = [every(1_000 / rate.ordersPerSecond, order), every(1_000 / rate.readsPerSecond, read)]

  /** On time, however long the one before took. */
  async function every(pauseMs: number, work: (turn: number) => void): Promise<void> {
    const since = performance.now()
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      work(turn)
      const next = since + (turn + 1) * pauseMs
      const signal = stopping.signal
      await wait(Math.max(0, next - performance.now()), undefined, { signal }).catch(() => {})
    }
  }

  return {
    asked,
    orderIds,
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(loops)
      await Promise.all(running)
      if (!dispatcher.closed) await dispatcher.close()
    },
  }
}
