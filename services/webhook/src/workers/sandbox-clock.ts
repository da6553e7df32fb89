import { type Worker, worker } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { advanceSandbox } from '../use-cases/advance-sandbox.ts'

const POLL_MS = 1_000

/** Carries out what the clocks of sandboxes were moved on by, one small transaction after the other. Replicas share the work. */
export const sandboxClock = (ctx: Pick<Context, 'transact' | 'deliveries'>): Worker =>
  worker({
    name: 'sandbox-clock',
    pollMs: POLL_MS,
    failed: 'time could not pass for a sandbox; what is left is tried again',
    work: () => advanceSandbox(ctx),
  })
