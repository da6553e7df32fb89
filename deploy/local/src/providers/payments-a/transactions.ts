import { type Request, type Response, Router } from 'express'
import { z } from 'zod'
import { paymentBody, transactionBody } from './bodies.ts'
import type { Books, Transaction } from './books.ts'
import { answer, refuse } from './envelope.ts'
import type { Announce, Outcomes } from './outcomes.ts'
import { planOf } from './plans.ts'

/** In the subunit, as a number or as digits. */
export const amountSchema = z.union([z.int().positive(), z.string().regex(/^[1-9]\d{0,14}$/)]).pipe(z.coerce.number())

export const referenceSchema = z.string().regex(/^[\w.=-]{1,100}$/)

const newTransaction = z.object({
  email: z.email(),
  amount: amountSchema,
  reference: referenceSchema.optional(),
  currency: z.string().length(3).default('NGN'),
  callback_url: z.url({ protocol: /^https?$/ }).nullish(),
  plan: z.string().nullish(),
  metadata: z.unknown().optional(),
})

const newCharge = newTransaction.extend({ authorization_code: z.string() })

const FAULTS: Record<string, string> = {
  email: 'Email Address is required',
  amount: 'Invalid Amount Sent',
  reference: 'Invalid transaction reference',
}

/** Where the checkout page of this double stands, whatever the address it is reached under. */
export const originOf = (request: Request): string => `${request.protocol}://${request.get('host')}${request.baseUrl}`

/** Payments: begun, looked up, and taken from a card that paid before. */
export function transactionRoutes(books: Books, outcomes: Outcomes, announce: Announce): Router {
  const router = Router()

  /** The transaction in the books; refuses and returns undefined where it cannot be. */
  function begin(response: Response, asked: z.output<typeof newTransaction>): Transaction | undefined {
    const plan = planOf(asked.plan ?? null)
    if (asked.plan && !plan) {
      refuse(response, 404, 'Plan not found', 'plan_not_found')
      return undefined
    }
    const transaction = books.beginTransaction({
      reference: asked.reference,
      email: asked.email,
      amount: plan?.amount ?? asked.amount,
      currency: asked.currency,
      planCode: plan?.code ?? null,
      callbackUrl: asked.callback_url ?? null,
      metadata: asked.metadata ?? '',
    })
    if (!transaction) refuse(response, 400, 'Duplicate Transaction Reference', 'duplicate_reference')
    return transaction
  }

  function read<S extends z.ZodType>(schema: S, request: Request, response: Response): z.output<S> | undefined {
    const parsed = schema.safeParse(request.body)
    if (parsed.success) return parsed.data
    const field = String(parsed.error.issues[0]?.path[0])
    refuse(response, 400, FAULTS[field] ?? `Invalid value for ${field}`, 'invalid_params')
    return undefined
  }

  router.post('/transaction/initialize', (request, response) => {
    const asked = read(newTransaction, request, response)
    const transaction = asked && begin(response, asked)
    if (!transaction) return
    answer(response, 'Authorization URL created', {
      authorization_url: `${originOf(request)}/checkout/${transaction.accessCode}`,
      access_code: transaction.accessCode,
      reference: transaction.reference,
    })
  })

  router.get('/transaction/verify/:reference', (request, response) => {
    const transaction = books.transactions.get(request.params.reference)
    if (!transaction) return refuse(response, 400, 'Transaction reference not found.', 'transaction_not_found')
    answer(response, 'Verification successful', transactionBody(books, transaction))
  })

  router.post('/transaction/charge_authorization', async (request, response) => {
    const asked = read(newCharge, request, response)
    if (!asked) return
    if (!books.customers.get(asked.email)?.authorizationCodes.includes(asked.authorization_code)) {
      return refuse(response, 400, 'Authorization code is invalid for this email', 'invalid_authorization')
    }
    const transaction = begin(response, asked)
    if (!transaction) return
    await outcomes.charge(transaction, 'success')
    response.once('close', () => void announce('charge.success', paymentBody(books, transaction)))
    answer(response, 'Charge attempted', transactionBody(books, transaction))
  })

  return router
}
