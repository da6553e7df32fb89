import type { CashAccount as CashAccountMessage } from '@svc/contracts/wallet/v1/cash'
import type { CashAccount } from '../domain/cash.ts'

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
