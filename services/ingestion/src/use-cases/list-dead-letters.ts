import type { Page } from '@svc/inputs'
import type { Context } from '../context.ts'
import { type DeadLetter, type DeadLetterFilter, listDeadLetters as list } from '../db/dead-letters.ts'

/** Hooks that were verified and could not be used, newest first. */
export async function listDeadLetters(
  ctx: Context,
  filter: DeadLetterFilter,
  page: Page,
): Promise<{ items: DeadLetter[]; total: number }> {
  return ctx.transact('every tenant', ({ sql }) => list(sql, filter, page))
}
