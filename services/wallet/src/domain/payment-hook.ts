/** An inbound hook of the payment provider: who is told, and how far it can be believed. */
export interface PaymentHook {
  hookId: string
  /** Of its path; null on the platform's own URL. */
  merchantId: string | null
  /** Our key at the provider made the signature of its body; else some other secret did, or none. */
  signedByPlatform: boolean
}

/** A hook as it was handed to us. */
export interface ReceivedHook extends PaymentHook {
  /** How often it was handed on, this time included. */
  version: number
  body: Buffer
  /** When it came in first, however often it was handed on. */
  receivedAt: Date
}
