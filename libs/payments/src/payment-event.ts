import { type JsonObject, objectOf, readHookJson } from './hook-json.ts'
import { amountSchema } from './replies.ts'

/** Longer than any name or code of the provider, and short enough for every index. */
const MAX_WORD_LENGTH = 255

/** A hook of the provider, read without believing it more than its signature covers. */
export interface PaymentEvent {
  /** charge.success, transfer.failed … */
  event: string
  /** `test` or `live`, where it says. */
  domain: string | null
  /** Of the payment or the transfer; of an invoice or a dispute, the reference of its payment. */
  reference: string | null
  status: string | null
  amountMinor: number | null
  currency: string | null
  /** Whatever shape it came in: an object, a JSON text, `""`, `0` or null. */
  metadata: Readonly<Record<string, unknown>>
  planCode: string | null
  customerCode: string | null
  subscriptionCode: string | null
  /** Of the invoice or the subscription. */
  nextPaymentAt: Date | null
  /** An invoice that is paid. */
  isPaid: boolean | null
  /** When the provider made the payment, transfer or subscription. */
  createdAt: Date | null
  /** Why it failed, in the provider's words; of a transfer what it was for. */
  reason: string | null
}

/** The event that a hook's bytes tell of; null where they hold no JSON object with an event. Never throws. */
export function parsePaymentEvent(body: Buffer): PaymentEvent | null {
  const hook = readHookJson(body)
  const event = word(hook?.['event'])
  if (!hook || event === null) return null
  // A list, as with cards about to expire, is of several payers: nothing in it is about the event as a whole.
  const data = objectOf(hook['data'])
  const subscription = objectOf(data['subscription'])
  return {
    event,
    domain: word(data['domain']),
    reference: referenceOf(data),
    status: word(data['status']),
    amountMinor: amountSchema.safeParse(data['amount']).data ?? null,
    currency: word(data['currency']),
    metadata: metadataOf(data['metadata']),
    planCode: word(data['plan']) ?? word(objectOf(data['plan'])['plan_code']),
    customerCode: word(objectOf(data['customer'])['customer_code']) ?? word(data['customer_code']),
    subscriptionCode: word(data['subscription_code']) ?? word(subscription['subscription_code']),
    nextPaymentAt: dateOf(data['next_payment_date']) ?? dateOf(subscription['next_payment_date']),
    isPaid: typeof data['paid'] === 'boolean' ? data['paid'] : null,
    createdAt: dateOf(data['created_at']) ?? dateOf(data['createdAt']),
    reason: word(data['reason']),
  }
}

const word = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= MAX_WORD_LENGTH ? value : null

const referenceOf = (data: JsonObject): string | null =>
  word(data['reference']) ?? word(objectOf(data['transaction'])['reference']) ?? word(data['transaction_reference'])

const metadataOf = (value: unknown): JsonObject =>
  typeof value === 'string' ? (readHookJson(value) ?? {}) : objectOf(value)

function dateOf(value: unknown): Date | null {
  const text = word(value)
  const date = text === null ? null : new Date(text)
  return date && !Number.isNaN(date.getTime()) ? date : null
}
