import { randomBytes } from 'node:crypto'
import { validationError } from '@svc/errors'

/** Without 0, O, 1 and I, which people mistake for each other. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 8
const DEFAULT_HOURS = 72
const MAX_HOURS = 720

export interface InviteCode {
  id: string
  merchantId: string
  code: string
  expiresAt: Date
  revokedAt: Date | null
  redeemedAt: Date | null
  /** The rider for whom the code is held until then: its membership is pending. */
  heldFor: string | null
  heldUntil: Date | null
  createdAt: Date
}

/** Eight characters that cannot be foreseen: the alphabet's 32 divide the 256 of a byte. */
export const mintInviteCode = (): string =>
  Array.from(randomBytes(CODE_LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')

/** The code as it was made, whatever case and spaces it was typed in. */
export const typedCode = (text: string): string => text.replace(/\s/g, '').toUpperCase()

/** How long a code lives, in hours; throws for what is no whole number from 1 to 720. */
export function lifetimeHours(hours = DEFAULT_HOURS): number {
  if (Number.isInteger(hours) && hours >= 1 && hours <= MAX_HOURS) return hours
  const message = `expires_in_hours must be a whole number from 1 to ${MAX_HOURS}.`
  throw validationError([{ field: 'expires_in_hours', rule: 'range', limit: MAX_HOURS, message }])
}

const HOUR_MS = 3_600_000
const HELD_HOURS = 24

/** Until when a code is held at `now` for a rider whose membership is pending. */
export const holdFrom = (now: Date): Date => new Date(now.getTime() + HELD_HOURS * HOUR_MS)

/** Whether the code is held for this rider. */
export const isHeldFor = ({ heldFor, heldUntil }: InviteCode, riderId: string, now: Date): boolean =>
  heldFor === riderId && heldUntil !== null && heldUntil > now

/** Whether the code is held for another rider than this one, who may be new. */
export const isHeldForOther = ({ heldFor, heldUntil }: InviteCode, riderId: string | null, now: Date): boolean =>
  heldFor !== null && heldFor !== riderId && heldUntil !== null && heldUntil > now

/** Whether a rider may still join by the code. */
export const isActive = ({ revokedAt, redeemedAt, expiresAt }: InviteCode, now: Date): boolean =>
  !revokedAt && !redeemedAt && expiresAt > now
