import type { OwnerKind } from './operation.ts'

const HOUR_MS = 3_600_000

/** Until when a change of payout instruments at `now` freezes the owner's withdrawals; null where it does not. */
export const freezeFrom = (kind: OwnerKind, now: Date, hours: number): Date | null =>
  kind === 'rider' && hours > 0 ? new Date(now.getTime() + hours * HOUR_MS) : null
