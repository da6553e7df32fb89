import type { CreateTopupIntentResponse } from '@svc/contracts/wallet/v1/topup_service'
import type { EscrowEntry, LedgerEntry, Wallet } from '@svc/contracts/wallet/v1/wallet'
import type { GetWalletResponse } from '@svc/contracts/wallet/v1/wallet_service'
import { orNull, present } from './or-null.ts'

export const walletView = (wallet: Wallet): Record<string, unknown> => ({
  id: wallet.id,
  balance_minor: wallet.balance_minor,
  available_minor: wallet.available_minor,
  held_minor: wallet.held_minor,
  currency: wallet.currency,
  updated_at: wallet.updated_at,
})

const entryView = (entry: LedgerEntry) => ({
  id: entry.id,
  wallet_id: entry.wallet_id,
  entry_type: entry.entry_type,
  direction: entry.direction,
  amount_minor: entry.amount_minor,
  currency: entry.currency,
  balance_after_minor: entry.balance_after_minor,
  order_id: orNull(entry.order_id),
  shipment_id: orNull(entry.shipment_id),
  withdrawal_id: orNull(entry.withdrawal_id),
  reference: orNull(entry.reference),
  description: orNull(entry.description),
  created_at: entry.created_at,
})

/** A wallet with a page of its entries; the key under which they stand is the route's. */
export const statementView = (
  { wallet, ledger_transactions, total, limit, offset }: GetWalletResponse,
  key: 'ledger_transactions' | 'items' = 'ledger_transactions',
): Record<string, unknown> => ({
  wallet: walletView(present(wallet)),
  [key]: ledger_transactions.map(entryView),
  total,
  limit,
  offset,
})

export const escrowEntryView = (entry: EscrowEntry): Record<string, unknown> => ({
  id: entry.id,
  order_id: entry.order_id,
  entry_type: entry.entry_type,
  amount_minor: entry.amount_minor,
  currency: entry.currency,
  rider_id: orNull(entry.rider_id),
  created_at: entry.created_at,
})

export const topupIntentView = (intent: CreateTopupIntentResponse): Record<string, unknown> => ({
  reference: intent.reference,
  authorization_url: intent.authorization_url,
  access_code: intent.access_code,
  amount_minor: intent.amount_minor,
  idempotent_replay: intent.idempotent_replay,
})
