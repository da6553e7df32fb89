import { Router } from 'express'
import { z } from 'zod'
import { subscriptionBody } from './bodies.ts'
import { type Books, codeOf, type Subscription } from './books.ts'
import { findCustomer } from './customers.ts'
import { answer, refuse } from './envelope.ts'
import type { Announce, Outcomes } from './outcomes.ts'
import { planOf } from './plans.ts'
import { originOf } from './transactions.ts'

const newSubscription = z.object({
  customer: z.string(),
  plan: z.string(),
  authorization: z.string().nullish(),
})

const NO_SUBSCRIPTION = 'Subscription with code not found'

/** Subscriptions: made from a saved card, which pays at once; ended; and the page to manage them. */
export function subscriptionRoutes(books: Books, outcomes: Outcomes, announce: Announce): Router {
  const router = Router()

  /** What the card pays at once for a subscription that was made without a checkout. */
  async function takeFirstPayment({ email, planCode }: Subscription): Promise<void> {
    const { amount, currency } = planOf(planCode)!
    const metadata = { invoice_action: 'create' }
    const payment = books.beginTransaction({ email, amount, currency, planCode, callbackUrl: null, metadata })
    if (payment) await outcomes.charge(payment, 'success', announce)
  }

  router.post('/subscription', (request, response) => {
    const parsed = newSubscription.safeParse(request.body)
    if (!parsed.success) return refuse(response, 400, 'Customer and plan are required', 'missing_params')
    const { plan, authorization } = parsed.data
    const customer = findCustomer(books, parsed.data.customer)
    if (!customer) return refuse(response, 404, 'Customer not found', 'customer_not_found')
    if (!planOf(plan)) return refuse(response, 404, 'Plan not found', 'plan_not_found')
    const card = authorization ?? customer.authorizationCodes[0]
    if (card === undefined || !customer.authorizationCodes.includes(card)) {
      return refuse(response, 404, 'The customer specified has no saved authorizations')
    }
    if (books.subscriptions.get(codeOf('SUB', customer.email, plan))?.status === 'active') {
      return refuse(response, 400, 'This subscription is already in place.', 'duplicate_subscription')
    }
    const subscription = outcomes.subscribe({
      email: customer.email,
      planCode: plan,
      authorizationCode: card,
      paidAt: books.now(),
    })
    response.once('close', () => void takeFirstPayment(subscription))
    // Unlike hooks, this answer has customer and plan as numbers, and no date of the next payment.
    const body = { ...subscriptionBody(books, subscription), next_payment_date: undefined }
    answer(response, 'Subscription successfully created', { ...body, customer: customer.id, plan: planOf(plan)!.id })
  })

  router.get('/subscription/:code', (request, response) => {
    const subscription = books.subscriptions.get(request.params.code)
    if (!subscription) return refuse(response, 404, NO_SUBSCRIPTION, 'subscription_not_found')
    answer(response, 'Subscription retrieved successfully', subscriptionBody(books, subscription))
  })

  router.post('/subscription/disable', (request, response) => {
    const { code, token } = (request.body ?? {}) as { code?: unknown; token?: unknown }
    const subscription = books.subscriptions.get(String(code))
    if (!subscription || subscription.emailToken !== token) return refuse(response, 404, NO_SUBSCRIPTION)
    subscription.status = 'non-renewing'
    const body = subscriptionBody(books, subscription)
    response.once('close', () => void announce('subscription.not_renew', body))
    answer(response, 'Subscription disabled successfully')
  })

  router.get('/subscription/:code/manage/link', (request, response) => {
    const subscription = books.subscriptions.get(request.params.code)
    if (!subscription) return refuse(response, 404, NO_SUBSCRIPTION, 'subscription_not_found')
    const link = `${originOf(request)}/manage/${subscription.subscriptionCode}?subscription_token=${subscription.emailToken}`
    answer(response, 'Link generated', { link })
  })

  return router
}
