import type { Tx } from '@svc/outbox'
import type { PaymentEvent } from '@svc/payments'
import { announceStanding } from '../../db/announce-standing.ts'
import { lockStanding } from '../../db/billing-standings.ts'
import { merchantOfCustomer } from '../../db/payment-customers.ts'
import { recordPayment } from '../../db/record-payment.ts'
import { findIntent } from '../../db/subscription-intents.ts'
import { addNews, merchantOfSubscription } from '../../db/subscriptions.ts'
import { newsOf } from '../../domain/billing-news.ts'
import { ignored, type Judgement, refused } from '../../domain/judgement.ts'
import type { PaymentHook } from '../../domain/payment-hook.ts'

/**
 * Lets an event of the provider about a subscription take effect, in whichever order and however often events come. Our
 * own rows decide which merchant it is about; where the hook says otherwise nothing is changed.
 */
export async function applyBillingEvent(tx: Tx, event: PaymentEvent, hook: PaymentHook): Promise<Judgement> {
  return event.event === 'charge.success' ? applyPayment(tx, event, hook) : applyNews(tx, event, hook)
}

/** Any payer can pay anything to the account of the platform: what counts is the payment of a checkout made here. */
async function applyPayment(tx: Tx, event: PaymentEvent, hook: PaymentHook): Promise<Judgement> {
  const intent = event.reference === null ? null : await findIntent(tx, event.reference)
  // Renewals among them: those are told of by their invoices.
  if (!intent) return ignored('no_intent')
  if (event.status !== 'success') return refused('not_successful', intent.merchantId)
  if (namesAnother(intent.merchantId, event, hook)) return refused('tenant_mismatch', intent.merchantId)
  return recordPayment(tx, intent, event, event.event)
}

async function applyNews(tx: Tx, event: PaymentEvent, hook: PaymentHook): Promise<Judgement> {
  const { subscriptionCode: code, customerCode } = event
  const news = newsOf(event)
  if ('outcome' in news) return news
  if (code === null) return refused('no_subscription')

  const payer = customerCode === null ? null : await merchantOfCustomer(tx, customerCode)
  const merchantId = (await merchantOfSubscription(tx, code)) ?? payer
  if (merchantId === null) return { outcome: 'waiting', reason: 'unknown_customer' }
  if ((payer !== null && payer !== merchantId) || namesAnother(merchantId, event, hook))
    return refused('tenant_mismatch', merchantId)

  const announced = await lockStanding(tx, merchantId)
  await addNews(tx, merchantId, code, news)
  await announceStanding(tx, merchantId, announced, event.event)
  return { outcome: 'applied' }
}

function namesAnother(merchantId: string, { metadata }: PaymentEvent, hook: PaymentHook): boolean {
  const named = metadata['merchant_id'] ?? merchantId
  return named !== merchantId || (hook.merchantId ?? merchantId) !== merchantId
}
