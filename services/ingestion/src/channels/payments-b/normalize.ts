import type { JsonObject } from '@svc/exact-json'
import { checkoutOrder } from '../checkout-order.ts'
import type { HookFacts, Normalized } from '../normalizer.ts'
import { type PaymentsBEvent, readEvent } from './event.ts'

const PAID: ReadonlySet<string> = new Set(['successful', 'succeeded'])

/** Whether an event is a payment that has arrived: nothing else of this channel is acted upon. */
export const isPayment = ({ isCharge, status }: PaymentsBEvent): boolean => isCharge && PAID.has(status)

/**
 * The order that a payment is for. Where the bytes are signed it is paid; where only the plain secret came with them it
 * is an order whose payment the merchant confirms: whoever has seen that secret once could write any body around it.
 */
export const normalizePaymentsB =
  (signatureHeader: string) =>
  (body: JsonObject, { headers }: HookFacts): Normalized => {
    const event = readEvent(body)
    if (!event || !isPayment(event)) return { outcome: 'ignored', reason: 'event_not_used' }
    const { reference, amount, amountMinor, currency, fields, customer, isTest, createdAt: toldAt } = event
    if (reference === null) return { outcome: 'dead_letter', reason: 'missing_reference', field: 'tx_ref' }
    if (amountMinor === null || currency === null)
      return { outcome: 'dead_letter', reason: 'unreadable_amount', field: 'amount' }
    const paymentVerified = headers[signatureHeader] !== undefined
    const remark = `${paymentVerified ? 'Paid' : 'Said to be paid'}: ${amount} ${currency} (${reference})`
    const order = checkoutOrder(fields, customer, remark)
    if ('lacks' in order)
      return {
        outcome: 'dead_letter',
        reason: 'needs_details',
        field: order.lacks === 'address' ? 'standardized.dropoff_address' : 'standardized.customer_phone',
      }
    return { outcome: 'order', externalOrderId: reference, isTest, toldAt, paymentVerified, order }
  }
