import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { listOperators } from '../../db/operators.ts'
import type { Operator } from '../../domain/operator.ts'

/** All operators, newest first. */
export async function listIdentities(ctx: Context, page: Page): Promise<{ operators: Operator[]; total: number }> {
  const [operators, total] = await listOperators(ctx.database.workerOrm.em.fork(), page)
  return { operators, total }
}
