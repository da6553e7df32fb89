import type { Part } from '@svc/lifecycle'
import type { Logger } from '@svc/logging'
import type { Context } from './context.ts'
import { nextDueInMs } from './db/sim-timers.ts'
import { fireSimulatorStep } from './use-cases/fire-simulator-step.ts'

/** The timers in the database are the truth: they are looked at this often even when nobody wakes the worker. */
const POLL_MS = 1_000

export interface SimulatorWorker extends Part {
  /** There may be a timer that is due before the next look. */
  wake(): void
  /** Fires the due steps of this order now, without waiting for those of others. */
  drive(orderId: string): void
}

/** Fires due steps of automatic orders, overdue ones first and in order; many replicas may run at once. */
export function simulatorWorker(ctx: Pick<Context, 'config' | 'transact'> & { logger: Logger }): SimulatorWorker {
  const driven = new Set<Promise<void>>()
  let isStopping = false
  let running: Promise<void> = Promise.resolve()
  let interrupt = () => {}
  let isWoken = false

  async function fireAll(orderId?: string): Promise<void> {
    try {
      while (!isStopping && (await fireSimulatorStep(ctx, orderId)));
    } catch (err) {
      ctx.logger.error({ err, order_id: orderId }, 'a simulator step failed; it stays due')
    }
  }

  async function sleep(): Promise<void> {
    const dueInMs = await ctx.transact('every tenant', nextDueInMs).catch(() => null)
    if (isWoken || isStopping) return
    const { promise, resolve } = Promise.withResolvers<void>()
    interrupt = resolve
    const timer = setTimeout(resolve, Math.min(Math.max(dueInMs ?? POLL_MS, 5), POLL_MS))
    await promise
    clearTimeout(timer)
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      isWoken = false
      await fireAll()
      await sleep()
    }
  }

  function wake(): void {
    isWoken = true
    interrupt()
  }

  return {
    name: 'simulator-worker',
    wake,
    drive(orderId) {
      const drive = fireAll(orderId).finally(() => driven.delete(drive))
      driven.add(drive)
    },
    async start() {
      running = run()
    },
    async stop() {
      isStopping = true
      wake()
      await Promise.all([running, ...driven])
    },
  }
}
