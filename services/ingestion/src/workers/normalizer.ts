import { type Worker, worker } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { nextJobInMs, sharedClaims } from '../db/normalization-jobs.ts'
import { normalizeHook } from '../use-cases/normalize-hook.ts'

const POLL_MS = 1_000
const LANES = 8
/** Far beyond the deadline of the work: what has no answer by then is nobody's any more. */
const LEASE_SECONDS = 60

/** Makes hooks that tell of orders into orders. Any number of replicas share the work. */
export const normalizer = (context: () => Context): Worker => {
  const claim = sharedClaims(() => context().database.worker, { most: LANES, leaseSeconds: LEASE_SECONDS })
  return worker({
    name: 'normalizer',
    lanes: LANES,
    pollMs: POLL_MS,
    work: () => normalizeHook(context(), claim),
    nextDueInMs: () => nextJobInMs(context().transact),
    failed: 'hooks could not be made into orders; they stay due',
  })
}
