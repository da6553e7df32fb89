import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { handOn } from '../channels/hand-on.ts'
import type { Context } from '../context.ts'
import { findJob, hurryJob, lockJobHook, type NormalizationJob } from '../db/normalization-jobs.ts'
import { normalizationRetryAudit } from '../events.ts'

/** Begins a job anew, as an operator wants; one that is pending already is due at once, and its tries stay counted. */
export async function retryNormalizationJob(
  ctx: Context,
  by: By<'every tenant'>,
  { id }: { id: string },
): Promise<NormalizationJob> {
  return ctx.transact(by.scope, async (tx) => {
    const hook = await lockJobHook(tx, id)
    const before = hook && (await findJob(tx.sql, id))
    if (!before) throw new ServiceError('not_found')
    if (before.status === 'succeeded') throw new ServiceError('already_succeeded')
    if (before.status === 'pending') await hurryJob(tx, id)
    else await handOn(ctx, tx, hook)
    tx.afterCommit(() => ctx.normalizer.wake())
    const after = (await findJob(tx.sql, id)) ?? before
    tx.publish(normalizationRetryAudit(by.caller, before, after))
    return after
  })
}
