import { Router } from 'express'
import { z } from 'zod'
import type { Delivery } from '../emit.ts'
import { readOrder } from '../read-order.ts'
import type { Books } from './books.ts'
import type { Announce, Outcomes } from './outcomes.ts'

/** How often and how late the platform is told; `hook: false` keeps it in the dark. */
const told = {
  hook: z.boolean().default(true),
  times: z.int().min(1).max(1000).default(1),
  delayMs: z.int().min(0).max(600_000).default(0),
}

const chargeOrder = z.strictObject({
  ...told,
  outcome: z.enum(['success', 'failed', 'abandoned']),
  /** What was paid, where it is not what was asked for. */
  amount: z.int().positive().optional(),
  currency: z.string().length(3).optional(),
})

const transferOrder = z.strictObject({ ...told, outcome: z.enum(['success', 'failed', 'reversed']) })

/** Lets payments and transfers come out this way or that, and the platform hear of it. */
export function paymentControls(
  books: Books,
  outcomes: Outcomes,
  announcing: (order: { times: number; delayMs: number }) => Announce,
): Router {
  const router = Router()

  router.post('/charges/:reference', async (request, response) => {
    const order = readOrder(chargeOrder, request.body, response)
    if (!order) return
    const transaction = books.transactions.get(request.params.reference)
    if (!transaction) return void response.status(404).json({ error: 'not_found', message: 'no such transaction' })
    transaction.amount = order.amount ?? transaction.amount
    transaction.currency = order.currency ?? transaction.currency
    const deliveries = await outcomes.charge(transaction, order.outcome, order.hook ? announcing(order) : undefined)
    response.json(report(transaction, deliveries))
  })

  router.post('/transfers/:reference', async (request, response) => {
    const order = readOrder(transferOrder, request.body, response)
    if (!order) return
    const transfer = books.transfers.get(request.params.reference)
    if (!transfer) return void response.status(404).json({ error: 'not_found', message: 'no such transfer' })
    const deliveries = await outcomes.transfer(transfer, order.outcome, order.hook ? announcing(order) : undefined)
    response.json(report(transfer, deliveries))
  })

  return router
}

const report = ({ reference, status }: { reference: string; status: string }, deliveries: Delivery[]) => ({
  reference,
  status,
  deliveries,
})
