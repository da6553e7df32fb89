/** What a rider has in hand of a merchant's cash, in one currency and environment. */
export interface CashAccount {
  id: string
  riderId: string
  merchantId: string
  currency: string
  isTest: boolean
  collectedMinor: number
  remittedMinor: number
  adjustedMinor: number
  inHandMinor: number
  heldSince: Date | null
  version: number
}

/** Whose cash account: one rider's of one merchant. */
export type CashKey = Pick<CashAccount, 'riderId' | 'merchantId' | 'currency' | 'isTest'>

/** A change of what a rider has in hand: positive, it becomes more. */
export interface CashMove {
  opKey: string
  /** What it is for, of which it happens once: an order, a remittance's receipt, an adjustment. */
  subjectId: string
  entryType: 'cash_collected' | 'cash_remitted' | 'cash_adjusted'
  amountMinor: number
  orderId?: string
  remittanceId?: string
  reason?: string
}
