import { type NextFunction, type Request, type Response, Router } from 'express'
import { emit } from '../emit.ts'
import type { Provider, ProviderSettings } from '../provider.ts'
import type { World } from '../world.ts'
import { bankRoutes } from './banks.ts'
import { createBooks } from './books.ts'
import { checkoutRoutes } from './checkout.ts'
import { paymentControls } from './control.ts'
import { customerRoutes } from './customers.ts'
import { refuse } from './envelope.ts'
import { hookSender } from './hooks.ts'
import { type Announce, createOutcomes } from './outcomes.ts'
import { planRoutes } from './plan-routes.ts'
import { subscriptionRoutes } from './subscriptions.ts'
import { transactionRoutes } from './transactions.ts'
import { transferRoutes } from './transfers.ts'

const requireKey = (request: Request, response: Response, next: NextFunction): void => {
  if (/^Bearer sk_\S+$/.test(request.get('authorization') ?? '')) return next()
  refuse(response, 401, 'Invalid key')
}

/** The payment provider: checkouts, plans and subscriptions, payouts, and the hooks that tell how they went. */
export function paymentsA(world: World, { platformUrl, paymentsSecretKey }: ProviderSettings): Provider {
  const books = createBooks(world, paymentsSecretKey)
  const hooks = hookSender(paymentsSecretKey)
  const outcomes = createOutcomes(books)

  const announcing =
    ({ times, delayMs }: { times: number; delayMs: number }): Announce =>
    (event, data) => {
      const order = { provider: 'payments-a', body: JSON.stringify({ event, data }), headers: {}, sign: 'good' }
      return emit(hooks, platformUrl, { ...order, times, delayMs }, world.now)
    }
  const announce = announcing({ times: 1, delayMs: 0 })

  const router = Router()
  router.use(checkoutRoutes(books, outcomes, announce))
  router.use(requireKey)
  router.use(transactionRoutes(books, outcomes, announce))
  router.use(planRoutes(books))
  router.use(customerRoutes(books))
  router.use(subscriptionRoutes(books, outcomes, announce))
  router.use(transferRoutes(books))
  router.use(bankRoutes())

  return {
    name: 'payments-a',
    router,
    reset: books.clear,
    hooks,
    control: paymentControls(books, outcomes, announcing),
    refusal: (message) => ({ status: false, message }),
  }
}
