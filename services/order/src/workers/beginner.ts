import { setTimeout as pause } from 'node:timers/promises'
import { type Worker, worker } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { beginOrders } from '../use-cases/begin-orders.ts'

const POLL_MS = 1_000

/**
 * Begins the orders of submitted shipments. It rests after each round for as long as that took, so that at most half of what
 * one connection can do goes to them: orders that come one by one hardly wait for five thousand that come at once.
 */
export const beginner = (ctx: () => Pick<Context, 'config' | 'transact' | 'failpoint'>): Worker =>
  worker({
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
