import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { listOperators } from '../../db/operators.ts'
import type { Operator } from '../../domain/operator.ts'

/** All operators, newest first. */
export async function listIdentities(
  ctx: Context,
  by: By<'every tenant'>,
  page: Page,
): Promise<{ operators: Operator[]; total: number }> {
  const [operators, total] = await ctx.transact(by.scope, ({ em }) => listOperators(em, page))
  return { operators, total }
}
