import type { Tx } from '@svc/transact'
import { type Judgement, refused } from '../domain/judgement.ts'
import { announceStanding } from './announce-standing.ts'
import { lockStanding } from './billing-standings.ts'
import { claimCustomer } from './payment-customers.ts'
import { markPaid, type SubscriptionIntent } from './subscription-intents.ts'

/** What the provider says of the payment of a checkout. */
interface SubscriptionPayment {
  amountMinor: number | null
  currency: string | null
  planCode: string | null
  customerCode: string | null
}

/**
 * Takes a payment as that of the intent, by hook or sweep and however often: only where plan, amount and currency are those
 * asked for. The payer is remembered as the merchant's customer, for subscriptions are announced under that name.
 */
export async function recordPayment(
  tx: Tx,
  intent: SubscriptionIntent,
  payment: SubscriptionPayment,
  reason: string,
): Promise<Judgement> {
  const { reference, merchantId } = intent
  const mismatch = mismatchOf(intent, payment)
  if (mismatch) return refused(mismatch, merchantId)
  const announced = await lockStanding(tx, merchantId)
  const { customerCode } = payment
  if (customerCode !== null && (await claimCustomer(tx, customerCode, merchantId)) !== merchantId)
    return refused('customer_of_another_merchant', merchantId)
  await markPaid(tx, reference)
  await announceStanding(tx, merchantId, announced, reason)
  return { outcome: 'applied' }
}

function mismatchOf(
  intent: SubscriptionIntent,
  { amountMinor, currency, planCode }: SubscriptionPayment,
): string | null {
  if (planCode !== intent.planCode) return 'plan_mismatch'
  if (currency !== intent.currency) return 'currency_mismatch'
  return amountMinor === intent.amountMinor ? null : 'amount_mismatch'
}
