/** Longer than a call to the payment provider may take, so that its own verdict is told and not that of our clock. */
export const PROVIDER_DEADLINE_MS = 25_000
