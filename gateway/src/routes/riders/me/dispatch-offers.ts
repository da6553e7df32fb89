import { uuid } from '@svc/inputs'
import { order, orderOf } from '@svc/public-bodies'
import * as z from 'zod'
import { offer, offerOf } from '../../../bodies/assignment.ts'
import { reply, rider, route } from '../../../http/route.ts'

const tag = 'Riders: offers'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/riders/me/dispatch-offers',
    operationId: 'listDispatchOffers',
    tag,
    summary: 'List offers that can still be accepted',
    description: 'An offer ends at its `expires_at`, and when somebody else has accepted.',
    auth: rider(),
    replies: { 200: z.object({ offers: z.array(offer) }) },
    errors: [],
    async handle(_input, services) {
      const { offers } = await services.assignment.listDispatchOffers({})
      return reply(200, { offers: offers.map(offerOf) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/riders/me/dispatch-offers/{offerId}/accept',
    operationId: 'acceptDispatchOffer',
    tag,
    summary: 'Accept an offer',
    description: 'Exactly one of all riders who accept gets the order; a repeat answers the same.',
    auth: rider(),
    params: { offerId: uuid },
    replies: { 200: z.object({ offer, order }) },
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
      return reply(200, { offer: offerOf(accepted.offer), order: orderOf(accepted.order) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/riders/me/dispatch-offers/{offerId}/decline',
    operationId: 'declineDispatchOffer',
    tag,
    summary: 'Decline an offer',
    description: 'The order is offered to others. 409 `offer_expired` where the time is over.',
    auth: rider(),
    params: { offerId: uuid },
    replies: { 200: z.object({ offer }) },
    errors: ['not_found', 'offer_expired', 'offer_unavailable'],
    async handle({ params }, services) {
      const declined = await services.assignment.declineDispatchOffer({ offer_id: params.offerId })
      return reply(200, { offer: offerOf(declined.offer) })
    },
  }),
]
