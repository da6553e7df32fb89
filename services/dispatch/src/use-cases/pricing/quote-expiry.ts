const VALID_MS = 15 * 60_000

/** Until when a price holds that was told at that moment. */
export const quoteExpiry = (at: Date): Date => new Date(at.getTime() + VALID_MS)
