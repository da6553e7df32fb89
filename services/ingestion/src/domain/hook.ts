/** What became of a hook. */
export type HookState = 'received' | 'applied' | 'ignored' | 'dead' | 'retrying'

/** Why a dead letter is ignored that nobody has mended for long: no verdict upon it, so it can be tried again. */
export const EXPIRED = 'expired'

/** Why a dead letter is ignored that an operator has ended: that is a verdict, which other deliveries of it do not change. */
export const ENDED = 'ended'

/** Why work failed that was taken up as often as it may be, and of which no try had an end: whoever took it has died each time. */
export const ATTEMPTS_EXHAUSTED = 'attempts_exhausted'

/** A verified hook, as far as others must know it. */
export interface Hook {
  id: string
  channel: string
  /** Of the address; of a mail, whom it names beside its first recipient. */
  pathMerchantId: string | null
  /** `platform`, or the merchant whose own secret made the signature. */
  signer: string
  event: string
  /** Those that are kept, by their lower-case names. */
  headers: Readonly<Record<string, string>>
  body: Buffer
  receivedAt: Date
}

/** Where a verified hook goes: to the service that acts upon it, nowhere, or to the dead letters. */
export type Sorted = { event: string; merchantId: string | null; externalOrderId: string | null } & (
  | { state: 'received'; reason: null }
  | { state: 'ignored' | 'dead'; reason: string }
)
