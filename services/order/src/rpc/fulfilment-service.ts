import { FulfilmentServiceService } from '@svc/contracts/order/v1/fulfilment_service'
import { either, rider, rpc, service, serving } from '@svc/grpc'
import { z } from 'zod'
import { commitAssignment } from '../changes/commit-assignment.ts'
import { declineRiderOrder } from '../changes/decline-rider-order.ts'
import { recordProgress } from '../changes/record-progress.ts'
import { recordProofOfDelivery } from '../changes/record-proof-of-delivery.ts'
import { updateRiderOrderStatus } from '../changes/update-rider-order-status.ts'
import type { Context } from '../context.ts'
import { orderMessage } from '../messages/order.ts'
import { getRiderOrder } from '../use-cases/get-rider-order.ts'
import { listRiderOrders } from '../use-cases/list-rider-orders.ts'
import { assignment, page, progress, proof, riderDecline, riderStatus } from './inputs.ts'

/** The rpcs of riders at work: a rider's own, and those of dispatch. */
export const fulfilmentService = serving<Context>()(FulfilmentServiceService, {
  commitAssignment: rpc({
    access: service('dispatch'),
    input: assignment,
    handle: async (ctx, by, input) => {
      const { order, outcome } = await commitAssignment(ctx, by, input)
      return {
        outcome: outcome.lost ? 'lost' : 'applied',
        reason: outcome.lost ?? undefined,
        order: orderMessage(order, ctx.config.trackingBaseUrl),
        previous_rider_id: outcome.previousRiderId ?? undefined,
      }
    },
  }),

  listRiderOrders: rpc({
    access: rider(),
    input: z.object({ ...page, status: z.string().optional() }),
    handle: async (ctx, by, input) => {
      const { orders, total, limit, offset } = await listRiderOrders(ctx, by, input)
      return { total, limit, offset, orders: orders.map((order) => orderMessage(order, ctx.config.trackingBaseUrl)) }
    },
  }),

  getRiderOrder: rpc({
    access: either(rider(), service('dispatch')),
    handle: async (ctx, by, { id: orderId }) => ({
      order: orderMessage(await getRiderOrder(ctx, by, { orderId }), ctx.config.trackingBaseUrl),
    }),
  }),

  updateRiderOrderStatus: rpc({
    access: rider(),
    input: riderStatus,
    handle: async (ctx, by, input) => ({
      order: orderMessage(await updateRiderOrderStatus(ctx, by, input), ctx.config.trackingBaseUrl),
    }),
  }),

  declineRiderOrder: rpc({
    access: rider(),
    input: riderDecline,
    handle: async (ctx, by, input) => ({
      order: orderMessage(await declineRiderOrder(ctx, by, input), ctx.config.trackingBaseUrl),
    }),
  }),

  recordProofOfDelivery: rpc({
    access: service('dispatch'),
    input: proof,
    handle: async (ctx, by, input) => ({
      order: orderMessage(await recordProofOfDelivery(ctx, by, input), ctx.config.trackingBaseUrl),
    }),
  }),

  recordProgress: rpc({
    access: service('dispatch'),
    input: progress,
    handle: async (ctx, by, input) => ({ applied: await recordProgress(ctx, by, input) }),
  }),
})
