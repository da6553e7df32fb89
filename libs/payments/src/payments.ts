/** What a customer pays through a checkout page of the provider. */
export interface NewTransaction {
  /** Ours: letters, digits, `-`, `.`, `=` and `_`. */
  reference: string
  email: string
  amountMinor: number
  currency: string
  callbackUrl?: string
  /** Pays for this plan, whose amount counts. */
  planCode?: string
  metadata?: Readonly<Record<string, string>>
}

export interface Checkout {
  /** The page where the payer pays. */
  authorizationUrl: string
  accessCode: string
}

/** How a payment stands. */
export interface Charge {
  reference: string
  /** The provider's word: success, failed, abandoned, ongoing, pending … */
  status: string
  amountMinor: number
  currency: string
  planCode: string | null
  customerCode: string | null
}

export interface Plan {
  planCode: string
  name: string
  description: string | null
  amountMinor: number
  interval: string
  currency: string
}

export interface Customer {
  customerCode: string
  email: string
  /** Newest first. */
  authorizations: ReadonlyArray<{ authorizationCode: string; isReusable: boolean }>
}

export interface Subscription {
  subscriptionCode: string
  status: string
  nextPaymentAt: Date | null
}

export interface NewRecipient {
  name: string
  accountNumber: string
  bankCode: string
  currency: string
}

/** A bank account to which transfers can be made. */
export interface Recipient {
  recipientCode: string
  bankName: string | null
}

export interface NewTransfer {
  /** Ours; the provider makes at most one transfer under it. */
  reference: string
  recipientCode: string
  amountMinor: number
  currency: string
  reason: string
}

export interface Transfer {
  reference: string
  /** The provider's word: success, pending, processing, otp, failed, reversed … */
  status: string
  amountMinor: number
  currency: string
}

/**
 * The payment provider. Whatever it refuses for good (a 4xx in its own words) throws PaymentRefusedError: nothing
 * happened. A reference, or a subscription, that it has seen before throws PaymentRepeatedError: an earlier attempt took
 * effect. Where nothing is known (no answer within the time limit, 401, 403, 408, 429, 5xx, an unreadable answer) it
 * throws service_unavailable: it may have taken effect. Only reads are repeated by this client.
 */
export interface Payments {
  /** Of the secret key: `live`, `test`, or null where the key does not tell. */
  readonly mode: 'live' | 'test' | null
  initializeTransaction(transaction: NewTransaction): Promise<Checkout>
  /** Null: the provider knows no such reference. */
  verifyTransaction(reference: string): Promise<Charge | null>
  /** All active plans. */
  listPlans(): Promise<Plan[]>
  findCustomer(customerCode: string): Promise<Customer | null>
  createSubscription(subscription: {
    customerCode: string
    planCode: string
    authorizationCode?: string
  }): Promise<Subscription>
  /** The page where the payer manages a subscription. */
  subscriptionManageUrl(subscriptionCode: string): Promise<string>
  /** The name under which the bank knows the account; null where it knows none. */
  resolveAccount(account: { accountNumber: string; bankCode: string }): Promise<string | null>
  createRecipient(recipient: NewRecipient): Promise<Recipient>
  initiateTransfer(transfer: NewTransfer): Promise<Transfer>
  /** Null: the provider knows no such reference. */
  verifyTransfer(reference: string): Promise<Transfer | null>
  close(): Promise<void>
}

/** The provider refuses this for good: nothing happened, and repeating it would change nothing. */
export class PaymentRefusedError extends Error {
  override readonly name = 'PaymentRefusedError'
  readonly status: number
  /** The provider's word for it, where it has one: insufficient_balance, invalid_transfer_recipient … */
  readonly code: string | null

  /** `message` is the provider's sentence, for operators; merchants get none of it. */
  constructor(message: string, status: number, code: string | null) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** The provider has this already: an earlier attempt took effect. What became of it is to be looked up. */
export class PaymentRepeatedError extends Error {
  override readonly name = 'PaymentRepeatedError'
}
