import { Router } from 'express'
import { z } from 'zod'
import { accountHolder, BALANCE_MINOR } from './banks.ts'
import { recipientBody, transferBody } from './bodies.ts'
import { type Books, codeOf, type Recipient, type Transfer } from './books.ts'
import { answer, refuse } from './envelope.ts'
import { amountSchema, referenceSchema } from './transactions.ts'

const newRecipient = z.object({
  type: z.literal('nuban'),
  name: z.string().min(1),
  account_number: z.string(),
  bank_code: z.string(),
  currency: z.string().length(3).default('NGN'),
})

const newTransfer = z.object({
  source: z.literal('balance'),
  amount: amountSchema,
  recipient: z.string(),
  reference: referenceSchema.optional(),
  reason: z.string().nullish(),
  currency: z.string().length(3).default('NGN'),
  metadata: z.unknown().optional(),
})

/** In the form of a recipient's code; this is all that is asked of one, since a restart forgets who it was. */
const RECIPIENT_CODE = /^RCP_[0-9a-f]{15}$/

function recipientRoutes(books: Books): Router {
  const router = Router()
  router.post('/transferrecipient', (request, response) => {
    const parsed = newRecipient.safeParse(request.body)
    if (!parsed.success) return refuse(response, 400, 'Account details are required', 'missing_params')
    const { name, account_number: accountNumber, bank_code: bankCode, currency } = parsed.data
    if (accountHolder(accountNumber, bankCode) === null) {
      return refuse(response, 400, 'Cannot resolve account', 'invalid_account_number')
    }
    const recipientCode = codeOf('RCP', accountNumber, bankCode, currency)
    const known = books.recipients.get(recipientCode)
    const { id = books.nextId(), createdAt = books.now() } = known ?? {}
    const recipient: Recipient = { id, recipientCode, name, accountNumber, bankCode, currency, createdAt }
    books.recipients.set(recipientCode, recipient)
    response.status(201)
    answer(response, 'Transfer recipient created successfully', recipientBody(books, recipient))
  })
  return router
}

/** Payouts. A transfer stays pending until the control API tells how it went; its reference counts once, for ever. */
export function transferRoutes(books: Books): Router {
  const router = Router()
  router.use(recipientRoutes(books))

  router.post('/transfer', (request, response) => {
    const parsed = newTransfer.safeParse(request.body)
    if (!parsed.success) return refuse(response, 400, z.prettifyError(parsed.error), 'invalid_params')
    const asked = parsed.data
    if (!RECIPIENT_CODE.test(asked.recipient)) {
      return refuse(response, 400, 'Recipient specified is invalid', 'invalid_transfer_recipient')
    }
    if (asked.amount > BALANCE_MINOR) {
      return refuse(response, 400, 'Your balance is not enough to fulfil this request', 'insufficient_balance')
    }
    const id = books.nextId()
    const reference = asked.reference ?? codeOf('T', String(id))
    if (books.transfers.has(reference)) {
      const message = 'Please provide a unique reference. Reference already exists on a transfer'
      return refuse(response, 400, message, 'duplicate_transfer_reference')
    }
    const now = books.now()
    const transfer: Transfer = {
      id,
      transferCode: codeOf('TRF', reference),
      reference,
      recipientCode: asked.recipient,
      amount: asked.amount,
      currency: asked.currency,
      reason: asked.reason ?? null,
      metadata: asked.metadata,
      status: 'pending',
      createdAt: now,
      updatedAt: now,
    }
    books.transfers.set(reference, transfer)
    const recipient = books.recipients.get(transfer.recipientCode)?.id ?? null
    answer(response, 'Transfer has been queued', { ...transferBody(books, transfer), recipient })
  })

  router.get('/transfer/verify/:reference', (request, response) => {
    const transfer = books.transfers.get(request.params.reference)
    if (!transfer) return refuse(response, 404, 'Transfer not found', 'transfer_not_found')
    answer(response, 'Transfer retrieved', transferBody(books, transfer))
  })

  router.post('/transfer/finalize_transfer', (request, response) => {
    const { transfer_code } = (request.body ?? {}) as { transfer_code?: unknown }
    const transfer = [...books.transfers.values()].find(({ transferCode }) => transferCode === transfer_code)
    if (!transfer) return refuse(response, 400, 'Transfer code is invalid')
    answer(response, 'Transfer has been queued', transferBody(books, transfer))
  })

  return router
}
