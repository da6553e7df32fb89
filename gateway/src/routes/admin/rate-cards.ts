import { atLeastOne, booleanWord, paging, uuid } from '@svc/inputs'
import * as z from 'zod'
import { admin, reply, viewedRoute } from '../../http/route.ts'
import { nulls } from '../../schemas/pieces.ts'
import { newRateCard, rateCard, rateCardChange, rateCardList } from '../../schemas/pricing.ts'
import { present } from '../../views/or-null.ts'
import { rateCardView } from '../../views/pricing.ts'

const tag = 'Rate cards'
const one = z.strictObject({ rate_card: rateCard })

export const adminRateCards = [
  viewedRoute({
    method: 'GET',
    path: '/v1/admin/rate-cards',
    operationId: 'listRateCards',
    tag,
    summary: 'List rate cards in their latest versions',
    auth: admin('admin.system.write'),
    query: { ...paging(), merchant_id: uuid.optional(), active: booleanWord.optional() },
    replies: { 200: rateCardList },
    errors: [],
    async handle({ query }, services) {
      const { items, total, limit, offset } = await services.pricing.listRateCards(query)
      return reply(200, { items: items.map(rateCardView), total, limit, offset })
    },
  }),
  viewedRoute({
    method: 'POST',
    path: '/v1/admin/rate-cards',
    operationId: 'createRateCard',
    tag,
    summary: "Make a rate card, the platform's or a merchant's",
    auth: admin('admin.system.write'),
    body: newRateCard,
    replies: { 201: one },
    errors: ['not_found'],
    async handle({ body }, services) {
      const { merchant_id, vehicle_type, ...plain } = body
      const input = { ...plain, merchant_id: merchant_id ?? undefined, vehicle_type: vehicle_type ?? undefined }
      const created = await services.pricing.createRateCard({ rate_card: input })
      return reply(201, { rate_card: rateCardView(present(created.rate_card)) })
    },
  }),
  viewedRoute({
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
      const { vehicle_type, ...plain } = body
      const updated = await services.pricing.updateRateCard({
        id: params.id,
        rate_card: { ...plain, vehicle_type: vehicle_type ?? undefined },
        clear_fields: nulls({ vehicle_type }),
      })
      return reply(200, { rate_card: rateCardView(present(updated.rate_card)) })
    },
  }),
]
