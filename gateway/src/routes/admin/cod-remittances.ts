import { paging, uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { adminRemittanceList, adminRemittanceReply, REMITTANCE_STATUSES, resolution } from '../../bodies/cash.ts'
import { admin, reply, route } from '../../http/route.ts'

const tag = 'Cash of all merchants'
const reading = admin('admin.ledger.read')

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/cod-remittances',
    operationId: 'adminListRemittances',
    tag,
    summary: 'List hand-overs of cash, newest first; what is disputed waits for an operator',
    description:
      'Live ones of all merchants; filter by status, rider or merchant. Decide a disputed one by `POST /v1/admin/cod-remittances/{id}/resolve`; `proposed_minor` is what a first operator has said of it.',
    auth: reading,
    query: {
      ...paging(),
      status: z.enum(REMITTANCE_STATUSES).optional(),
      rider_id: uuid.optional(),
      merchant_id: uuid.optional(),
    },
    replies: { 200: adminRemittanceList },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.cash.listRemittances(query))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/cod-remittances/{id}/resolve',
    operationId: 'resolveRemittance',
    tag,
    summary: 'Decide a hand-over that is disputed or was confirmed as less',
    description:
      'Says all that the merchant has of it. Where operators would change more of the rider’s cash than the four-eyes limit ' +
      'within a day, the first word is kept as `proposed_minor`, and a second person says the same: one who was there before ' +
      'and whom the first did not make. Another sum is a first word again.',
    auth: admin('admin.withdrawals.write'),
    params: { id: uuid },
    body: resolution,
    replies: { 200: adminRemittanceReply },
    errors: ['not_found', 'invalid_state', 'second_approver_required'],
    async handle({ params: { id }, body }, services) {
      const { remittance } = await services.cash.resolveRemittance({ id, ...body })
      return reply(200, { remittance: required(remittance) })
    },
  }),
]
