import type { SettledTotals, Tenant, Totals } from '@svc/database'
import type { Page } from '@svc/inputs'
import type { Reads, Tx } from '@svc/transact'
import { environmentOf, type WalletRow } from './wallets.ts'

export interface EntryRow {
  op_key: string
  line_no: number
  entry_type: string
  amount_minor: number
  balance_after_minor: number
  currency: string
  order_id: string | null
  about: { shipment_id?: string; withdrawal_id?: string; reference?: string; description?: string }
  created_at: Date
}

/**
 * A page of a wallet's entries, newest first; equally fast at any depth, since versions have no gaps. Both ends of the page
 * are stated: up to a limit alone, all entries of a small wallet among large ones may be read and sorted.
 */
export async function listEntries(sql: Tx['sql'], wallet: WalletRow, page: Page): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>(
    `SELECT l.op_key, l.line_no, l.entry_type, l.amount_minor, l.balance_after_minor, l.currency, l.order_id, o.about,
            l.created_at
       FROM ledger_lines l JOIN wallet_ops o ON o.op_key = l.op_key
      WHERE l.account_id = $1 AND l.account_version <= $2::bigint AND l.account_version > $2::bigint - $3::bigint
      ORDER BY l.account_version DESC`,
    [wallet.id, wallet.entries - page.offset, page.limit],
  )
  return rows
}

export interface Statement {
  wallet: WalletRow
  entries: EntryRow[]
}

/** A wallet and a page of its entries, newest first, as of one moment. */
export const readStatement = async ({ sql }: Pick<Tx, 'sql'>, wallet: WalletRow, page: Page): Promise<Statement> => ({
  wallet,
  entries: await listEntries(sql, wallet, page),
})

export interface EscrowFilter {
  orderId?: string | undefined
  entryType?: string | undefined
}

export interface EscrowRow {
  op_key: string
  line_no: number
  order_id: string
  entry_type: string
  amount_minor: number
  currency: string
  rider_id: string | null
  created_at: Date
}

/** As the partial indexes say it: what came into escrow, and what left it. */
const IS_ESCROW = `entry_type IN ('commission_hold', 'commission_released')
  AND (entry_type = 'commission_hold') = (amount_minor > 0)`

/** Of lines of one moment the account says which came last; accounts that keep no balance do not count theirs. */
const NEWEST_FIRST = 'created_at DESC, account_version DESC NULLS LAST, op_key DESC, line_no'

/** A page of the movements into and out of a merchant's escrow, newest first, and the number of all. */
export async function listEscrow(
  { reads, totals, settledTotals }: { reads: Reads; totals: Totals; settledTotals: SettledTotals },
  tenant: Tenant,
  { orderId, entryType }: EscrowFilter,
  { limit, offset }: Page,
): Promise<{ items: EscrowRow[]; total: number }> {
  const values: unknown[] = [tenant.merchantId, environmentOf(tenant)]
  const conditions = [`merchant_id = $1 AND is_test = $2 AND ${IS_ESCROW}`]
  if (orderId !== undefined) conditions.push(`order_id = $${values.push(orderId)}`)
  if (entryType !== undefined) conditions.push(`entry_type = $${values.push(entryType)}`)
  const where = conditions.join(' AND ')
  const list = { found: `ledger_lines WHERE ${where}`, params: values }
  const counting = totals.of(tenant, list.found, values, settledTotals.of(list))
  const text = `SELECT l.op_key, l.line_no, l.order_id, l.entry_type, abs(l.amount_minor) AS amount_minor, l.currency,
            o.about ->> 'rider_id' AS rider_id, l.created_at
       FROM (SELECT * FROM ledger_lines WHERE ${where}
              ORDER BY ${NEWEST_FIRST} LIMIT $${values.length + 1} OFFSET $${values.length + 2}) l
       JOIN wallet_ops o ON o.op_key = l.op_key
      ORDER BY ${NEWEST_FIRST}`
  const [items, counted] = await reads.together(tenant, [
    { text, params: [...values, limit, offset], planned: 'each time' },
    ...counting.statements,
  ])
  return { items: items as EscrowRow[], total: counting.total(counted?.[0]) }
}
