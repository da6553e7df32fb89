import { required } from '@svc/public-bodies'
import {
  billing,
  billingOf,
  newSubscription,
  newSubscriptionIntent,
  planList,
  subscription,
  subscriptionIntent,
} from '../../bodies/billing.ts'
import { PROVIDER_DEADLINE_MS } from '../../http/provider-deadline.ts'
import { inPerson, merchant, reply, route } from '../../http/route.ts'

const tag = 'Billing'
const reading = merchant('orders:read', 'orders:write')
const writing = merchant('orders:write')

export const routes = [
  route({
    method: 'GET',
    path: '/v1/me/billing',
    operationId: 'getBilling',
    tag,
    summary: 'Read tier, billing status and what they entail',
    description: 'What your tier contains, and whether its status blocks new orders.',
    auth: reading,
    replies: { 200: billing },
    errors: [],
    async handle(_input, services) {
      const [{ merchant }, known] = await Promise.all([
        services.merchant.getAccount({}),
        services.billing.getBilling({}),
      ])
      return reply(200, billingOf(required(merchant), known))
    },
  }),
  route({
    method: 'GET',
    path: '/v1/me/billing/payments-a-plans',
    operationId: 'listPlans',
    tag,
    summary: 'List the plans that can be subscribed to',
    description: 'As the payment provider lists them now. 503 `payments_not_configured` where there is none.',
    auth: reading,
    deadlineMs: PROVIDER_DEADLINE_MS,
    replies: { 200: planList },
    errors: ['payments_not_configured'],
    async handle(_input, services) {
      return reply(200, await services.billing.listPlans({}))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/billing/payments-a-subscription-intent',
    operationId: 'createSubscriptionIntent',
    tag,
    summary: 'Start a checkout whose payment subscribes to a plan',
    description: 'Not with test keys.',
    auth: writing,
    deadlineMs: PROVIDER_DEADLINE_MS,
    body: newSubscriptionIntent,
    replies: { 201: subscriptionIntent },
    errors: ['already_exists', 'payments_not_configured'],
    async handle({ body }, services) {
      const intent = await services.billing.createSubscriptionIntent(body)
      return reply(201, { ...intent, idempotent_replay: false })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/billing/payments-a-subscription-create',
    operationId: 'createSubscription',
    tag,
    summary: 'Subscribe to a plan with an authorization of an earlier payment',
    description: 'Not with test keys.',
    auth: inPerson(writing),
    deadlineMs: PROVIDER_DEADLINE_MS,
    body: newSubscription,
    replies: { 201: subscription },
    errors: ['no_reusable_authorization', 'already_exists', 'payments_not_configured'],
    async handle({ body }, services) {
      return reply(201, await services.billing.createSubscription(body))
    },
  }),
]
