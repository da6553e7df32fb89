import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../context.ts'
import { type JobFilter, listJobs, type NormalizationJob } from '../db/normalization-jobs.ts'

/** What became of hooks that tell of orders, newest first. */
export async function listNormalizationJobs(
  ctx: Context,
  by: By<'every tenant'>,
  { limit, offset, ...filter }: JobFilter & Page,
): Promise<{ items: NormalizationJob[]; total: number }> {
  return listJobs(ctx.reads.in(by.scope).sql, filter, { limit, offset })
}
