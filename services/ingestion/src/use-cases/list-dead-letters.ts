import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../context.ts'
import { type DeadLetter, type DeadLetterFilter, listDeadLetters as list } from '../db/dead-letters.ts'

/** Hooks that were verified and could not be used, newest first. */
export async function listDeadLetters(
  ctx: Context,
  by: By<'every tenant'>,
  { limit, offset, ...filter }: DeadLetterFilter & Page,
): Promise<{ items: DeadLetter[]; total: number }> {
  return list(ctx.reads.in(by.scope).sql, filter, { limit, offset })
}
