import type { By, Tenant } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../context.ts'
import { type EscrowFilter, type EscrowRow, listEscrow } from '../db/ledger-entries.ts'

/** What went into and out of the escrow of a merchant's commissions, newest first. */
export async function listEscrowLedger(
  ctx: Context,
  { scope }: By<Tenant>,
  { page, ...filter }: EscrowFilter & { page: Page },
): Promise<{ items: EscrowRow[]; total: number }> {
  return listEscrow(ctx, scope, filter, page)
}
