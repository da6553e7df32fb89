import type { Tenant } from '@svc/database'
import { validationError } from '@svc/errors'
import type { Page } from '@svc/inputs'
import type { Context } from '../context.ts'
import { type EscrowFilter, type EscrowRow, listEscrow } from '../db/ledger-entries.ts'

const ENTRY_TYPES = ['commission_hold', 'commission_released']

/** What went into and out of the escrow of a merchant's commissions, newest first. */
export async function listEscrowLedger(
  ctx: Context,
  tenant: Tenant,
  filter: EscrowFilter,
  page: Page,
): Promise<{ items: EscrowRow[]; total: number }> {
  if (filter.entryType !== undefined && !ENTRY_TYPES.includes(filter.entryType)) {
    const message = `entry_type must be one of ${ENTRY_TYPES.join(', ')}.`
    throw validationError([{ field: 'entry_type', rule: 'enum', allowed: ENTRY_TYPES, message }])
  }
  return ctx.transact(tenant, (tx) => listEscrow(tx.sql, tenant, filter, page))
}
