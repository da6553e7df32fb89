import type { EscrowEntry, LedgerEntry, Wallet } from '@svc/contracts/wallet/v1/wallet'
import type { GetWalletResponse } from '@svc/contracts/wallet/v1/wallet_service'
import type { Page } from '@svc/inputs'
import { eventIdOf } from '@svc/transact'
import type { EntryRow, EscrowRow, Statement } from '../db/ledger-entries.ts'
import type { WalletRow } from '../db/wallets.ts'

/** row → message */
export function walletMessage(row: WalletRow): Wallet {
  return {
    id: row.id,
    balance_minor: row.available_minor + row.held_minor,
    available_minor: row.available_minor,
    held_minor: row.held_minor,
    currency: row.currency,
    updated_at: row.updated_at.toISOString(),
  }
}

/** A wallet with one page of its entries. */
export function statementMessage({ wallet, entries }: Statement, page: Page): GetWalletResponse {
  const ledger_transactions = entries.map((entry) => entryMessage(wallet, entry))
  return { wallet: walletMessage(wallet), ledger_transactions, total: wallet.entries, ...page }
}

/** row → message; the id follows from the operation and the line. */
function entryMessage(wallet: WalletRow, row: EntryRow): LedgerEntry {
  const { shipment_id, withdrawal_id, reference, description } = row.about
  return {
    id: eventIdOf(wallet.id, row.op_key, row.line_no),
    wallet_id: wallet.id,
    entry_type: row.entry_type,
    direction: row.amount_minor > 0 ? 'credit' : 'debit',
    amount_minor: Math.abs(row.amount_minor),
    currency: row.currency,
    balance_after_minor: row.balance_after_minor,
    order_id: row.order_id ?? undefined,
    shipment_id,
    withdrawal_id,
    reference,
    description,
    created_at: row.created_at.toISOString(),
  }
}

/** row → message */
export function escrowMessage(row: EscrowRow): EscrowEntry {
  return {
    id: eventIdOf(row.order_id, row.op_key, row.line_no),
    order_id: row.order_id,
    entry_type: row.entry_type,
    amount_minor: row.amount_minor,
    currency: row.currency,
    rider_id: row.rider_id ?? undefined,
    created_at: row.created_at.toISOString(),
  }
}
