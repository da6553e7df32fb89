import { paging, uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import * as z from 'zod'
import {
  cashAccountList,
  objection,
  REMITTANCE_STATUSES,
  remittanceList,
  remittanceReply,
  riderRemittance,
} from '../../../bodies/cash.ts'
import { reply, rider, route } from '../../../http/route.ts'

const tag = 'Riders: money'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/riders/me/cash',
    operationId: 'getRiderCash',
    tag,
    summary: 'Read what cash the rider has in hand, by merchant, the largest sums first',
    description: 'Cash on delivery belongs to the merchant; it is no part of what the rider earns.',
    auth: rider(),
    query: paging(),
    replies: { 200: cashAccountList },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.cash.getRiderCash(query))
    },
  }),
  route({
    method: 'GET',
    path: '/v1/riders/me/cash/remittances',
    operationId: 'riderListRemittances',
    tag,
    summary: 'List hand-overs of cash, newest first',
    description:
      'Cash that the rider said was handed over, or that a merchant said it got, and what became of it; `status` filters. Contradict one by `POST /v1/riders/me/cash/remittances/{id}/dispute`.',
    auth: rider(),
    query: { ...paging(), status: z.enum(REMITTANCE_STATUSES).optional() },
    replies: { 200: remittanceList },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.cash.listRemittances(query))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/riders/me/cash/remittances',
    operationId: 'riderDeclareRemittance',
    tag,
    summary: 'Say that cash is handed over to its merchant',
    description: 'It stays in hand until the merchant confirms it. At most what is in hand and not declared yet.',
    auth: rider(),
    idempotent: true,
    body: riderRemittance,
    replies: { 201: remittanceReply },
    errors: ['idempotency_conflict', 'idempotency_in_progress', 'limit_reached', 'not_found'],
    async handle({ body, idempotency }, services) {
      const { remittance, replayed } = await services.cash.declareRemittance({ ...body, idempotency })
      const headers = replayed ? { 'Idempotent-Replayed': 'true' } : undefined
      return reply(201, { remittance: required(remittance) }, headers)
    },
  }),
  route({
    method: 'POST',
    path: '/v1/riders/me/cash/remittances/{id}/withdraw',
    operationId: 'withdrawRemittance',
    tag,
    summary: 'Take back a hand-over that nobody has confirmed or disputed',
    description:
      'One that the rider declared itself: what was declared may be declared anew at once. A repeat changes nothing.',
    auth: rider(),
    params: { id: uuid },
    replies: { 200: remittanceReply },
    errors: ['not_found', 'invalid_state'],
    async handle({ params: { id } }, services) {
      const { remittance } = await services.cash.withdrawRemittance({ id })
      return reply(200, { remittance: required(remittance) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/riders/me/cash/remittances/{id}/dispute',
    operationId: 'riderDisputeRemittance',
    tag,
    summary: 'Contradict a hand-over that was confirmed as less, or that the merchant does not answer',
    description: 'An operator decides.',
    auth: rider(),
    params: { id: uuid },
    body: objection,
    replies: { 200: remittanceReply },
    errors: ['not_found', 'invalid_state'],
    async handle({ params: { id }, body }, services) {
      const { remittance } = await services.cash.disputeRemittance({ id, ...body })
      return reply(200, { remittance: required(remittance) })
    },
  }),
]
