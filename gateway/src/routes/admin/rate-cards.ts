import { atLeastOne, booleanWord, paging, uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { nulls, withoutNulls } from '../../bodies/pieces.ts'
import { newRateCard, rateCard, rateCardChange, rateCardList } from '../../bodies/pricing.ts'
import { admin, reply, route } from '../../http/route.ts'

const tag = 'Rate cards'
const one = z.object({ rate_card: rateCard })

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/rate-cards',
    operationId: 'listRateCards',
    tag,
    summary: 'List rate cards in their latest versions',
    description:
      'Newest card first. Without `merchant_id` those of the platform and of every merchant; `active` tells those that price orders from those that do not.',
    auth: admin('admin.system.write'),
    query: { ...paging(), merchant_id: uuid.optional(), active: booleanWord.optional() },
    replies: { 200: rateCardList },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.pricing.listRateCards(query))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/rate-cards',
    operationId: 'createRateCard',
    tag,
    summary: "Make a rate card, the platform's or a merchant's",
    description:
      "What is left out costs nothing, and without `merchant_id` it is the platform's. It counts from now on unless `active` is false. 404 for an unknown merchant.",
    auth: admin('admin.system.write'),
    body: newRateCard,
    replies: { 201: one },
    errors: ['not_found'],
    async handle({ body }, services) {
      const created = await services.pricing.createRateCard({ rate_card: withoutNulls(body) })
      return reply(201, { rate_card: required(created.rate_card) })
    },
  }),
  route({
    method: 'PATCH',
    path: '/v1/admin/rate-cards/{id}',
    operationId: 'updateRateCard',
    tag,
    summary: 'Make a new version of a rate card',
    description: 'What was quoted stays.',
    auth: admin('admin.system.write'),
    params: { id: uuid },
    body: atLeastOne(rateCardChange),
    replies: { 200: one },
    errors: ['not_found'],
    async handle({ params, body }, services) {
      const updated = await services.pricing.updateRateCard({
        id: params.id,
        rate_card: withoutNulls(body),
        clear_fields: nulls(body),
      })
      return reply(200, { rate_card: required(updated.rate_card) })
    },
  }),
]
