import { uuid } from '@svc/inputs'
import * as z from 'zod'
import { reply, rider, viewedRoute } from '../../../http/route.ts'
import { offer } from '../../../schemas/assignment.ts'
import { order } from '../../../schemas/order.ts'
import { offerView } from '../../../views/assignment.ts'
import { present } from '../../../views/or-null.ts'
import { orderView } from '../../../views/order.ts'

const tag = 'Riders: offers'

export const myOffers = [
  viewedRoute({
    method: 'GET',
    path: '/v1/riders/me/dispatch-offers',
    operationId: 'listDispatchOffers',
    tag,
    summary: 'List offers that can still be accepted',
    auth: rider(),
    replies: { 200: z.strictObject({ offers: z.array(offer) }) },
    errors: [],
    async handle(_input, services) {
      const { offers } = await services.assignment.listDispatchOffers({})
      return reply(200, { offers: offers.map(offerView) })
    },
  }),
  viewedRoute({
    method: 'POST',
    path: '/v1/riders/me/dispatch-offers/{offerId}/accept',
    operationId: 'acceptDispatchOffer',
    tag,
    summary: 'Accept an offer',
    description: 'Exactly one of all riders who accept gets the order; a repeat answers the same.',
    auth: rider(),
    params: { offerId: uuid },
    replies: { 200: z.strictObject({ offer, order }) },
    errors: [
      'not_found',
      'offer_expired',
      'offer_unavailable',
      'rider_unavailable',
      'kyc_not_approved',
      'insufficient_wallet_for_freelancer_order',
    ],
    async handle({ params }, services) {
      const accepted = await services.assignment.acceptDispatchOffer({ offer_id: params.offerId })
      return reply(200, { offer: offerView(present(accepted.offer)), order: orderView(present(accepted.order)) })
    },
  }),
  viewedRoute({
    method: 'POST',
    path: '/v1/riders/me/dispatch-offers/{offerId}/decline',
    operationId: 'declineDispatchOffer',
    tag,
    summary: 'Decline an offer',
    auth: rider(),
    params: { offerId: uuid },
    replies: { 200: z.strictObject({ offer }) },
    errors: ['not_found', 'offer_expired', 'offer_unavailable'],
    async handle({ params }, services) {
      const declined = await services.assignment.declineDispatchOffer({ offer_id: params.offerId })
      return reply(200, { offer: offerView(present(declined.offer)) })
    },
  }),
]
