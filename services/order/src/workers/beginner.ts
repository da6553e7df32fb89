import { setTimeout as pause } from 'node:timers/promises'
import { type Worker, worker } from '@svc/lifecycle'
import { metrics } from '@svc/telemetry'
import type { Context } from '../context.ts'
import { longestWait } from '../db/shipment-turns.ts'
import { beginOrders } from '../use-cases/begin-orders.ts'

const POLL_MS = 1_000

/**
 * Begins the orders of submitted shipments. It rests after each round for as long as that took, so that at most half of what
 * one connection can do goes to them: orders that come one by one hardly wait for five thousand that come at once.
 */
export function beginner(ctx: () => Pick<Context, 'config' | 'transact' | 'failpoint'>): Worker {
  let endGauge = (): void => {}
  const loop = worker({
    name: 'beginner',
    pollMs: POLL_MS,
    failed: 'orders of a shipment were not begun; they stay due',
    async work(stopping) {
      const startedAt = performance.now()
      const hasBegun = await beginOrders(ctx())
      if (hasBegun) await pause(performance.now() - startedAt, undefined, { signal: stopping }).catch(() => undefined)
      return hasBegun
    },
  })
  return {
    ...loop,
    async start() {
      endGauge = metrics.gauge(
        'shipment_wait_seconds',
        'For how long a submitted shipment has had none of its orders begun, at most',
        async () => [{ value: await ctx().transact('every tenant', longestWait), labels: {} }],
      )
      await loop.start()
    },
    async stop() {
      await loop.stop()
      endGauge()
    },
  }
}
