import { paging, uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import * as z from 'zod'
import {
  merchantRemittance,
  objection,
  REMITTANCE_STATUSES,
  receipt,
  remittanceList,
  remittanceReply,
} from '../../bodies/cash.ts'
import { inPerson, merchant, reply, route } from '../../http/route.ts'

const tag = 'Cash on delivery'
const reading = merchant('orders:read', 'orders:write')
const writing = inPerson(merchant('orders:write'))
const params = { id: uuid }
const replies = { 200: remittanceReply }

export const routes = [
  route({
    method: 'GET',
    path: '/v1/me/cod-remittances',
    operationId: 'listRemittances',
    tag,
    summary: 'List hand-overs of cash, newest first',
    description: 'Cash that riders said they handed over, or that you said you got, and what became of it.',
    auth: reading,
    query: { ...paging(), rider_id: uuid.optional(), status: z.enum(REMITTANCE_STATUSES).optional() },
    replies: { 200: remittanceList },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.cash.listRemittances(query))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/cod-remittances',
    operationId: 'declareRemittance',
    tag,
    summary: 'Declare a hand-over of cash at your own desk',
    description: 'It stays in the rider’s hands until it is confirmed. At most what is in hand and not declared yet.',
    auth: writing,
    idempotent: true,
    body: merchantRemittance,
    replies: { 201: remittanceReply },
    errors: ['idempotency_conflict', 'idempotency_in_progress', 'limit_reached'],
    async handle({ body, idempotency }, services) {
      const { remittance, replayed } = await services.cash.declareRemittance({ ...body, idempotency })
      const headers = replayed ? { 'Idempotent-Replayed': 'true' } : undefined
      return reply(201, { remittance: required(remittance) }, headers)
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/cod-remittances/{id}/confirm',
    operationId: 'confirmRemittance',
    tag,
    summary: 'Confirm that the cash has arrived',
    description:
      'All of it, or less for a reason: what is missing stays in the rider’s hands. A repeat changes nothing.',
    auth: writing,
    params,
    body: receipt,
    replies,
    errors: ['not_found', 'invalid_state'],
    async handle({ params: { id }, body }, services) {
      const { remittance } = await services.cash.confirmRemittance({ id, ...body })
      return reply(200, { remittance: required(remittance) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/cod-remittances/{id}/dispute',
    operationId: 'disputeRemittance',
    tag,
    summary: 'Say that nothing of a declared hand-over has arrived',
    description: 'An operator decides.',
    auth: writing,
    params,
    body: objection,
    replies,
    errors: ['not_found', 'invalid_state'],
    async handle({ params: { id }, body }, services) {
      const { remittance } = await services.cash.disputeRemittance({ id, ...body })
      return reply(200, { remittance: required(remittance) })
    },
  }),
]
