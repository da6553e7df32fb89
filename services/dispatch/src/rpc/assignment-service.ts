import { AssignmentServiceService } from '@svc/contracts/dispatch/v1/assignment_service'
import { either, merchant, operator, rider, rpc, service, serving } from '@svc/grpc'
import { optionalUuid, resourceId, uuidField } from '@svc/inputs'
import type { Context } from '../context.ts'
import { requirePoint } from '../domain/point.ts'
import { dispatchTraceMessage } from '../messages/dispatch-trace.ts'
import { offerMessage } from '../messages/offer.ts'
import { acceptDispatchOffer } from '../use-cases/assignment/accept-dispatch-offer.ts'
import { assignRider } from '../use-cases/assignment/assign-rider.ts'
import { checkAssignable } from '../use-cases/assignment/check-assignable.ts'
import { declineDispatchOffer } from '../use-cases/assignment/decline-dispatch-offer.ts'
import { getDispatchTrace } from '../use-cases/assignment/get-dispatch-trace.ts'
import { listDispatchCandidates } from '../use-cases/assignment/list-dispatch-candidates.ts'
import { listDispatchOffers } from '../use-cases/assignment/list-dispatch-offers.ts'

/** The rpcs of assignment: merchants and operators name riders, riders answer offers. */
export const assignmentService = serving<Context>()(AssignmentServiceService, {
  assignRider: rpc({
    access: either(merchant('orders:write'), operator('admin.orders.write'), service('order')),
    handle: async (ctx, by, { order_id, rider_id, merchant_id, requester }) => {
      const { order, previousRiderId } = await assignRider(ctx, by, {
        orderId: resourceId(order_id),
        riderId: optionalUuid('rider_id', rider_id),
        merchantId: optionalUuid('merchant_id', merchant_id),
        requester: requester ?? null,
      })
      return { order, previous_rider_id: previousRiderId }
    },
  }),

  checkAssignable: rpc({
    access: merchant('orders:write'),
    handle: async (ctx, by, { rider_id }) => {
      await checkAssignable(ctx, by, uuidField('rider_id', rider_id))
      return {}
    },
  }),

  listDispatchCandidates: rpc({
    access: either(merchant('orders:read'), operator('admin.orders.read')),
    handle: async (ctx, by, { order_id, point, metres, limit }) => ({
      candidates: await listDispatchCandidates(ctx, by, {
        orderId: resourceId(order_id),
        point: requirePoint('point', point),
        metres,
        limit,
      }),
    }),
  }),

  listDispatchOffers: rpc({
    access: rider(),
    handle: async (ctx, by) => ({ offers: (await listDispatchOffers(ctx, by)).map(offerMessage) }),
  }),

  acceptDispatchOffer: rpc({
    access: rider(),
    handle: async (ctx, by, { offer_id }) => {
      const { offer, order } = await acceptDispatchOffer(ctx, by, resourceId(offer_id))
      return { offer: offerMessage(offer), order }
    },
  }),

  declineDispatchOffer: rpc({
    access: rider(),
    handle: async (ctx, by, { offer_id }) => ({
      offer: offerMessage(await declineDispatchOffer(ctx, by, resourceId(offer_id))),
    }),
  }),

  getDispatchTrace: rpc({
    access: either(merchant('orders:read', 'orders:write'), operator('admin.orders.read')),
    handle: async (ctx, by, { order_id }) =>
      dispatchTraceMessage(await getDispatchTrace(ctx, by, resourceId(order_id))),
  }),
})
