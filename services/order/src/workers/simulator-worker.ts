import { type Worker, worker } from '@svc/lifecycle'
import type { Logger } from '@svc/logging'
import type { Context } from '../context.ts'
import { nextDueInMs } from '../db/sim-timers.ts'
import { fireSimulatorStep } from '../use-cases/fire-simulator-step.ts'

/** The timers in the database are the truth: they are looked at this often even when nothing wakes the worker. */
const POLL_MS = 1_000
const FAILED = 'a simulator step failed; it stays due'

export interface SimulatorWorker extends Worker {
  /** Fires the due steps of this order now, without waiting for those of others. */
  drive(orderId: string): void
}

/** Fires due steps of automatic orders, overdue ones first and in order; many replicas may run at once. */
export function simulatorWorker(ctx: Pick<Context, 'config' | 'transact'> & { logger: Logger }): SimulatorWorker {
  const driven = new Set<Promise<void>>()
  let isStopping = false
  const loop = worker({
    name: 'simulator-worker',
    pollMs: POLL_MS,
    failed: FAILED,
    work: () => fireSimulatorStep(ctx),
    nextDueInMs: () => ctx.transact('every tenant', nextDueInMs),
  })

  async function fireAll(orderId: string): Promise<void> {
    try {
      while (!isStopping && (await fireSimulatorStep(ctx, orderId)));
    } catch (err) {
      ctx.logger.error({ err, order_id: orderId }, FAILED)
    }
  }

  return {
    ...loop,
    drive(orderId) {
      const drive = fireAll(orderId).finally(() => driven.delete(drive))
      driven.add(drive)
    },
    async stop() {
      isStopping = true
      await Promise.all([loop.stop(), ...driven])
    },
  }
}
