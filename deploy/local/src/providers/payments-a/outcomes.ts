import type { Delivery } from '../emit.ts'
import { invoiceBody, paymentBody, subscriptionBody, transferBody } from './bodies.ts'
import { type Books, type ChargeStatus, codeOf, type Subscription, type Transaction, type Transfer } from './books.ts'
import { nextPaymentAfter, planOf } from './plans.ts'

/** Sends a hook to the platform, as often as asked; the answers in order. */
export type Announce = (event: string, data: unknown) => Promise<Delivery[]>

/**
 * What happens to payments, subscriptions and transfers: the books first, so that a look-up tells the outcome before any
 * hook does. Where `announce` is missing no receiver is told.
 */
export interface Outcomes {
  charge(transaction: Transaction, outcome: ChargeStatus, announce?: Announce): Promise<Delivery[]>
  transfer(transfer: Transfer, outcome: Transfer['status'], announce?: Announce): Promise<Delivery[]>
  /** Once per address and plan; paid again, it lasts until the next payment after that. */
  subscribe(asked: NewSubscription): Subscription
}

type NewSubscription = Pick<Subscription, 'email' | 'planCode' | 'authorizationCode'> & { paidAt: string }

const silent: Announce = async () => []

/** The outcomes that one set of books can take. */
export function createOutcomes(books: Books): Outcomes {
  function subscribe({ email, planCode, authorizationCode, paidAt }: NewSubscription): Subscription {
    const subscriptionCode = codeOf('SUB', email, planCode)
    const known = books.subscriptions.get(subscriptionCode)
    const { id = books.nextId(), createdAt = books.now() } = known ?? {}
    const subscription: Subscription = {
      id,
      subscriptionCode,
      emailToken: codeOf('token', subscriptionCode),
      email,
      planCode,
      authorizationCode,
      status: 'active',
      nextPaymentAt: nextPaymentAfter(planOf(planCode)!, paidAt),
      createdAt,
    }
    books.subscriptions.set(subscriptionCode, subscription)
    return subscription
  }

  /** A customer that has paid may be charged again; the same card whenever the same address pays. */
  function keepCard(email: string): string {
    const customer = books.customerOf(email)
    const code = codeOf('AUTH', email)
    if (!customer.authorizationCodes.includes(code)) customer.authorizationCodes.unshift(code)
    return code
  }

  return {
    subscribe,
    async charge(transaction, outcome, announce = silent) {
      transaction.status = outcome
      if (outcome === 'abandoned') return []
      if (outcome === 'failed') return announce('charge.failed', paymentBody(books, transaction))
      const paidAt = (transaction.paidAt ??= books.now())
      const { email, planCode } = transaction
      const authorizationCode = keepCard(email)
      if (planCode === null) return announce('charge.success', paymentBody(books, transaction))
      const subscription = subscribe({ email, planCode, authorizationCode, paidAt })
      return [
        ...(await announce('charge.success', paymentBody(books, transaction))),
        ...(await announce('subscription.create', subscriptionBody(books, subscription))),
        ...(await announce('invoice.update', invoiceBody(books, subscription, transaction))),
      ]
    },
    async transfer(transfer, outcome, announce = silent) {
      transfer.status = outcome
      transfer.updatedAt = books.now()
      return announce(`transfer.${outcome}`, transferBody(books, transfer))
    },
  }
}
