import { type Worker, worker } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { firstTurn, nextJobInMs } from '../db/normalization-jobs.ts'
import { normalizeHook } from '../use-cases/normalize-hook.ts'

const POLL_MS = 1_000
const LANES = 4

/** Makes hooks that tell of orders into orders. Any number of replicas share the work. */
export const normalizer = (context: () => Context): Worker => {
  const turn = firstTurn()
  return worker({
    name: 'normalizer',
    lanes: LANES,
    pollMs: POLL_MS,
    work: () => normalizeHook(context(), turn),
    nextDueInMs: () => nextJobInMs(context().transact),
    failed: 'hooks could not be made into orders; they stay due',
  })
}
