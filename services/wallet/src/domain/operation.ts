import { createHash } from 'node:crypto'

export type OwnerKind = 'merchant' | 'rider' | 'operator' | 'provider' | 'cash'

/** Whose account: the operator and the provider are one each; cash is owned by its cash account. */
export interface Owner {
  kind: OwnerKind
  id: string
}

export type EntryType =
  | 'topup'
  | 'commission_debit'
  | 'commission_credit'
  | 'commission_hold'
  | 'commission_released'
  | 'shipment_hold'
  | 'shipment_release'
  | 'withdrawal_reserve'
  | 'withdrawal_reversal'
  | 'withdrawal_paid'
  | 'subscription'
  | 'refund'
  | 'adjustment'
  | 'cash_collected'
  | 'cash_remitted'
  | 'cash_adjusted'

/** What of them comes into escrow, and leaves it. */
export const ESCROW_ENTRY_TYPES = ['commission_hold', 'commission_released'] as const satisfies EntryType[]

/** One line: the account of that owner and purpose changes by the amount. */
export interface Posting {
  owner: Owner
  purpose: 'available' | 'held'
  entryType: EntryType
  amountMinor: number
}

/** What is remembered of an operation beside its lines. */
export interface About {
  rider_id?: string
  shipment_id?: string
  withdrawal_id?: string
  remittance_id?: string
  reference?: string
  description?: string
}

/** A movement of money, not yet decided. */
export interface Operation {
  /** The attempt: its first decision stands. */
  opKey: string
  /** The business key: of one kind and subject only one is ever applied. Without a subject there is none. */
  kind: string
  subjectId: string | null
  merchantId: string | null
  isTest: boolean
  currency: string
  orderId?: string
  about?: About
  postings: readonly Posting[]
}

/** How an operation ended. */
export interface Decision {
  outcome: 'applied' | 'already_applied' | 'declined' | 'aborted'
  isReplay: boolean
  result: { state?: string; reason?: string; required_minor?: number; balance_minor?: number } | null
}

const NOBODY = '00000000-0000-0000-0000-000000000000'
export const OPERATOR: Owner = { kind: 'operator', id: NOBODY }
export const PROVIDER: Owner = { kind: 'provider', id: NOBODY }

/** Where cash comes from and goes to: customers and merchants, whose pockets are in no books. Kept apart from the provider's money. */
export const POCKETS: Owner = { kind: 'provider', id: '00000000-0000-0000-0000-0000000000ca' }

/** Throws where the lines do not sum to zero or an amount is no safe integer: such an operation is a defect of ours. */
export function requireBalanced({ postings, opKey }: Operation): void {
  const amounts = postings.map(({ amountMinor }) => amountMinor)
  const isBalanced = amounts.reduce((sum, amount) => sum + BigInt(amount), 0n) === 0n
  if (postings.length < 2 || !isBalanced || !amounts.every(Number.isSafeInteger))
    throw new TypeError(`the lines of ${opKey} are no balanced operation`)
}

/** Two requests under one key are the same if and only if their hashes are. */
export function requestHash(...parts: readonly (string | number | boolean | null)[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}
