import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { listRemittances as list } from '../../db/cash-remittances.ts'
import type { Remittance, RemittanceStatus } from '../../domain/cash.ts'
import { cashReach } from '../../domain/cash-reach.ts'

interface Asked {
  status?: RemittanceStatus | undefined
  riderId?: string | undefined
  /** For operators, who see the live ones. */
  merchantId?: string | undefined
  page: Page
}

/** A page of remittances, newest first: a merchant's own, a rider's own, and for operators those of all. */
export async function listRemittances(
  ctx: Pick<Context, 'reads'>,
  by: By,
  { page, status, riderId, merchantId }: Asked,
): Promise<{ items: Remittance[]; total: number }> {
  const { sql } = ctx.reads.in(by.scope)
  if (by.caller.kind === 'admin') return list(sql, { riderId, merchantId, isTest: false, status }, page)
  const reach = cashReach(by)
  return list(sql, { ...reach, riderId: reach.riderId ?? riderId, status }, page)
}
