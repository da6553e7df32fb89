import { ServiceError, validationError } from '@svc/errors'

/** How many hand-overs of one account may wait for a word at once. */
export const MOST_OPEN = 20

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

/** Which cash accounts are meant. */
export interface CashFilter {
  riderId?: string | undefined
  merchantId?: string | undefined
  isTest: boolean
}

/** One line of a merchant's cash statement; positive: the rider has more in hand. */
export interface CashEntry {
  opKey: string
  entryType: CashMove['entryType']
  riderId: string
  amountMinor: number
  currency: string
  orderId: string | null
  remittanceId: string | null
  description: string | null
  createdAt: Date
}

/** The sums of a merchant's cash accounts in one currency. */
export interface CashTotal {
  currency: string
  inHandMinor: number
  collectedMinor: number
  remittedMinor: number
  adjustedMinor: number
}

export const REMITTANCE_STATUSES = ['declared', 'confirmed', 'disputed', 'resolved', 'withdrawn'] as const
export type RemittanceStatus = (typeof REMITTANCE_STATUSES)[number]

/** A hand-over of cash from a rider to its merchant. */
export interface Remittance {
  id: string
  accountId: string
  riderId: string
  merchantId: string
  currency: string
  isTest: boolean
  status: RemittanceStatus
  declaredMinor: number
  /** What the merchant has so far. */
  receivedMinor: number
  declaredBy: 'rider' | 'merchant'
  note: string | null
  reason: string | null
  createdAt: Date
  decidedAt: Date | null
  /** What the first of two operators says that the merchant has, who that was and when; null where none is needed yet. */
  proposedMinor: number | null
  proposedBy: string | null
  proposedAt: Date | null
}

/** Throws validation_error where more is declared than lies undeclared in the rider's hands. */
export function requireInHand(amountMinor: number, undeclaredMinor: number): void {
  if (amountMinor <= undeclaredMinor) return
  const message = `amount_minor is at most what is in hand and not declared yet, ${Math.max(0, undeclaredMinor)}.`
  throw validationError([{ field: 'amount_minor', rule: 'max', message }])
}

/**
 * What a merchant confirms of a declared hand-over. Less than all of it takes a reason, nothing at all is a dispute; null
 * where it has said the same before. Throws invalid_state once something else was said.
 */
export function confirmed(
  remittance: Remittance,
  {
    receivedMinor = remittance.declaredMinor,
    reason = null,
  }: { receivedMinor?: number | undefined; reason?: string | null },
): Pick<Remittance, 'status' | 'receivedMinor' | 'reason'> | null {
  const { status, declaredMinor } = remittance
  if (status === 'confirmed' && receivedMinor === remittance.receivedMinor) return null
  if (status !== 'declared') throw new ServiceError('invalid_state', { details: { status } })
  requireReceived(receivedMinor, { min: 1, max: declaredMinor })
  if (receivedMinor < declaredMinor && !reason?.trim()) {
    const message = 'reason is required where less has arrived.'
    throw validationError([{ field: 'reason', rule: 'required', message }])
  }
  return { status: 'confirmed', receivedMinor, reason }
}

/**
 * Throws invalid_state unless that side may contradict: either what is declared, a rider what was confirmed as less as
 * well, where what is missing lies undeclared in its hands.
 */
export function requireDisputable(
  { status, declaredMinor, receivedMinor }: Remittance,
  { by, undeclaredMinor }: { by: 'rider' | 'merchant'; undeclaredMinor: number },
): void {
  if (status === 'declared') return
  const missingMinor = declaredMinor - receivedMinor
  if (by === 'merchant' || status !== 'confirmed' || missingMinor === 0)
    throw new ServiceError('invalid_state', { details: { status } })
  if (missingMinor > undeclaredMinor)
    throw new ServiceError('invalid_state', { details: { status, undeclared_minor: Math.max(0, undeclaredMinor) } })
}

/**
 * A hand-over that its rider takes back: one that the rider has declared itself and that nobody has said a word about;
 * null where it has taken it back before. Throws invalid_state else.
 */
export function withdrawn({
  status,
  declaredBy,
  receivedMinor,
}: Remittance): Pick<Remittance, 'status' | 'receivedMinor' | 'reason'> | null {
  if (status === 'withdrawn') return null
  if (status !== 'declared' || declaredBy !== 'rider')
    throw new ServiceError('invalid_state', { details: { status, declared_by: declaredBy } })
  return { status: 'withdrawn', receivedMinor, reason: null }
}

/**
 * What a difference ends with: a dispute, or what was confirmed as less, of which no more arrives than lies undeclared in
 * the rider's hands. Null where it has ended so. What the merchant has it has.
 */
export function resolved(
  remittance: Remittance,
  { receivedMinor, reason, undeclaredMinor }: { receivedMinor: number; reason: string; undeclaredMinor: number },
): Pick<Remittance, 'status' | 'receivedMinor' | 'reason'> | null {
  const { status, declaredMinor } = remittance
  if (status === 'resolved' && receivedMinor === remittance.receivedMinor) return null
  const isShort = status === 'confirmed' && remittance.receivedMinor < declaredMinor
  if (status !== 'disputed' && !isShort) throw new ServiceError('invalid_state', { details: { status } })
  requireReceived(receivedMinor, { min: remittance.receivedMinor, max: declaredMinor })
  if (isShort && receivedMinor - remittance.receivedMinor > undeclaredMinor)
    throw new ServiceError('invalid_state', { details: { status, undeclared_minor: Math.max(0, undeclaredMinor) } })
  return { status: 'resolved', receivedMinor, reason }
}

function requireReceived(receivedMinor: number, { min, max }: { min: number; max: number }): void {
  const rule = receivedMinor < min ? 'min' : receivedMinor > max ? 'max' : null
  if (rule === null) return
  const message = `received_minor must be between ${min} and ${max}.`
  throw validationError([{ field: 'received_minor', rule, message }])
}
