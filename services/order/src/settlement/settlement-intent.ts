import type { Settlement } from '../domain/commission.ts'

/** The kinds of intents about the commission of an order; what is open of one is done before the next begins. */
export const SETTLE = 'commission'
export const RELEASE = 'commission_release'
export const GIVE_BACK = 'commission_void'

/** Longer than an attempt of the process that began it lasts; whoever finishes what it left waits no longer. */
export const LEASE_SECONDS = 5

/** All that it takes to finish a settlement, by whoever comes. */
export interface SettlementIntent {
  settlement: Settlement
  requirePaymentVerified: boolean
  /** What is done once the commission is settled. */
  act: { kind: string; aim: string; data: { orderId: string } }
}

/** What an intent of an order's escrow is about: the attempt that filled it. */
export interface EscrowIntent {
  orderId: string
  attempt: number
}
