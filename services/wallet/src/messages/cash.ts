import type {
  CashAccount as CashAccountMessage,
  CashAdjustment as CashAdjustmentMessage,
  CashEntry as CashEntryMessage,
  CashRemittance,
  CashTotal as CashTotalMessage,
} from '@svc/contracts/wallet/v1/cash'
import { eventIdOf } from '@svc/transact'
import type { CashAccount, CashEntry, CashTotal, Remittance } from '../domain/cash.ts'
import type { CashAdjustment } from '../domain/cash-adjustment.ts'

/** row → message */
export const cashAccountMessage = (account: CashAccount): CashAccountMessage => ({
  rider_id: account.riderId,
  merchant_id: account.merchantId,
  currency: account.currency,
  in_hand_minor: account.inHandMinor,
  collected_minor: account.collectedMinor,
  remitted_minor: account.remittedMinor,
  adjusted_minor: account.adjustedMinor,
  held_since: account.heldSince?.toISOString(),
  is_test: account.isTest,
})

/** row → message */
export const remittanceMessage = (row: Remittance): CashRemittance => ({
  id: row.id,
  rider_id: row.riderId,
  merchant_id: row.merchantId,
  currency: row.currency,
  is_test: row.isTest,
  status: row.status,
  declared_minor: row.declaredMinor,
  received_minor: row.receivedMinor,
  declared_by: row.declaredBy,
  note: row.note ?? undefined,
  reason: row.reason ?? undefined,
  created_at: row.createdAt.toISOString(),
  decided_at: row.decidedAt?.toISOString(),
  proposed_minor: row.proposedMinor ?? undefined,
  proposed_by: row.proposedBy ?? undefined,
})

/** row → message */
export const adjustmentMessage = (row: CashAdjustment): CashAdjustmentMessage => ({
  id: row.id,
  rider_id: row.riderId,
  merchant_id: row.merchantId,
  currency: row.currency,
  status: row.status,
  amount_minor: row.amountMinor,
  reason: row.reason,
  proposed_by: row.proposedBy,
  decided_by: row.decidedBy ?? undefined,
  created_at: row.createdAt.toISOString(),
  decided_at: row.decidedAt?.toISOString(),
})

/** row → message; the id follows from the operation. */
export const cashEntryMessage = (row: CashEntry): CashEntryMessage => ({
  id: eventIdOf(row.riderId, row.opKey, 2),
  entry_type: row.entryType,
  rider_id: row.riderId,
  amount_minor: row.amountMinor,
  currency: row.currency,
  order_id: row.orderId ?? undefined,
  remittance_id: row.remittanceId ?? undefined,
  description: row.description ?? undefined,
  created_at: row.createdAt.toISOString(),
})

/** row → message */
export const cashTotalMessage = (row: CashTotal): CashTotalMessage => ({
  currency: row.currency,
  in_hand_minor: row.inHandMinor,
  collected_minor: row.collectedMinor,
  remitted_minor: row.remittedMinor,
  adjusted_minor: row.adjustedMinor,
})
