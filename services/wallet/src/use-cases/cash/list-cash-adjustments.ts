import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { listAdjustments } from '../../db/cash-adjustments.ts'
import type { AdjustmentStatus, CashAdjustment } from '../../domain/cash-adjustment.ts'

/** A page of what operators changed of cash, or want to, newest first. */
export async function listCashAdjustments(
  ctx: Pick<Context, 'reads'>,
  _by: By,
  { status, page }: { status?: AdjustmentStatus | undefined; page: Page },
): Promise<{ items: CashAdjustment[]; total: number }> {
  return listAdjustments(ctx.reads.in('every tenant').sql, { status }, page)
}
