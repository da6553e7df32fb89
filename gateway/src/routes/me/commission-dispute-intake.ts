import { text, uuid } from '@svc/inputs'
import { id, instant, required, words } from '@svc/public-bodies'
import * as z from 'zod'
import { REVIEW_STATUSES } from '../../bodies/inquiry.ts'
import { inPerson, merchant, reply, route } from '../../http/route.ts'

export const routes = [
  route({
    method: 'POST',
    path: '/v1/me/commission-dispute-intake',
    operationId: 'createCommissionDispute',
    tag: 'Wallet',
    summary: 'Contest an entry of the ledger',
    description:
      "An operator gets back to the owner's e-mail address. A repeat for the same entry answers the first dispute. A preview that operators switch on, for live credentials.",
    auth: inPerson(merchant('orders:write')),
    body: z.object({
      ledger_transaction_id: uuid.meta({ description: 'As in the entries of GET /v1/me/wallet' }),
      message: text(4000),
    }),
    replies: {
      201: z.object({
        ok: z.literal(true),
        inquiry: z.object({
          id,
          ledger_transaction_id: id,
          review_status: words(...REVIEW_STATUSES),
          created_at: instant,
        }),
      }),
    },
    errors: ['feature_disabled', 'limit_reached'],
    async handle({ body }, services) {
      const { inquiry } = await services.inquiry.createCommissionDispute(body)
      const made = required(inquiry)
      return reply(201, {
        ok: true,
        inquiry: { ...made, ledger_transaction_id: required(made.ledger_transaction_id) },
      })
    },
  }),
]
