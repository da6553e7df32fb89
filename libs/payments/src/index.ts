export { dedupeKeyOf } from './dedupe-key.ts'
export { type PaymentEvent, parsePaymentEvent } from './payment-event.ts'
export {
  type Charge,
  type Checkout,
  type Customer,
  type NewRecipient,
  type NewTransaction,
  type NewTransfer,
  PaymentRefusedError,
  PaymentRepeatedError,
  type Payments,
  type Plan,
  type Recipient,
  type Subscription,
  type Transfer,
} from './payments.ts'
export { modeOf, type PaymentsClientOptions, paymentsClient } from './payments-client.ts'
export { isSignedBy, signHook } from './sign-hook.ts'
