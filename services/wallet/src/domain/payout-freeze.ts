import type { OwnerKind } from './operation.ts'

const HOUR_MS = 3_600_000

/**
 * Until when a change of payout instruments at `now` freezes the owner's withdrawals; null where it does not. What a
 * merchant adds first goes nowhere else than before.
 */
export const freezeFrom = (kind: OwnerKind, isFirst: boolean, now: Date, hours: number): Date | null =>
  hours > 0 && (kind === 'rider' || !isFirst) ? new Date(now.getTime() + hours * HOUR_MS) : null
