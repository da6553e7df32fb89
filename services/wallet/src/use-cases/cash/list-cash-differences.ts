import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { listDifferences } from '../../db/cash-remittances.ts'
import type { Remittance } from '../../domain/cash.ts'

/** A page of live hand-overs that are disputed or were confirmed as less, the oldest first. */
export async function listCashDifferences(
  ctx: Pick<Context, 'reads'>,
  _by: By,
  page: Page,
): Promise<{ items: Remittance[]; total: number }> {
  return listDifferences(ctx.reads.in('every tenant').sql, page)
}
