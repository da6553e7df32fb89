import { randomUUID } from 'node:crypto'

/** A payment into a merchant's wallet, as it was asked for. */
export interface Topup {
  reference: string
  merchantId: string
  amountMinor: number
  currency: string
}

/** What the provider says of a payment; who paid is told by hooks only. */
export interface Payment {
  amountMinor: number | null
  currency: string | null
  /** All whom it is said to be for. */
  merchantIds?: readonly unknown[]
}

const REFERENCE = /^tu-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const newTopupReference = (): string => `tu-${randomUUID()}`

/** Whether a reference is one that top-ups have. */
export const isTopupReference = (reference: string | null): reference is string => REFERENCE.test(reference ?? '')

/** Why this payment is not the top-up that was asked for; null where it is. */
export function mismatchOf(topup: Topup, { amountMinor, currency, merchantIds = [] }: Payment): string | null {
  if (merchantIds.some((id) => id !== topup.merchantId)) return 'tenant_mismatch'
  if (currency !== topup.currency) return 'currency_mismatch'
  if (amountMinor !== topup.amountMinor) return 'amount_mismatch'
  return null
}
