import type { FulfilmentServiceService } from '@svc/contracts/order/v1/fulfilment_service'
import type { Rider } from '@svc/contracts/order/v1/order'
import { ServiceError, validationError } from '@svc/errors'
import type { Call, Caller, Handlers } from '@svc/grpc'
import { assignment } from '../acts/assignment.ts'
import type { Context } from '../context.ts'
import { statedEta } from '../domain/eta.ts'
import type { RiderSummary } from '../domain/order.ts'
import { orderMessage } from '../messages/order.ts'
import { actOnOrder } from '../settlement/act-on-order.ts'
import { getOrder } from '../use-cases/get-order.ts'
import { getRiderOrder } from '../use-cases/get-rider-order.ts'
import { listRiderOrders } from '../use-cases/list-rider-orders.ts'
import { recordProgress } from '../use-cases/record-progress.ts'
import { recordProofOfDelivery } from '../use-cases/record-proof-of-delivery.ts'
import { updateRiderOrderStatus } from '../use-cases/update-rider-order-status.ts'

function require({ caller }: Call, kind: 'system' | 'rider'): Caller {
  if (caller.kind !== kind) throw new ServiceError('forbidden')
  return caller
}

function opKey(key: string): string {
  if (key !== '' && key.length <= 255) return key
  throw validationError([{ field: 'op_key', rule: 'length', message: 'op_key must have 1 to 255 characters.' }])
}

const summaryOf = ({ id, name, phone, vehicle_type }: Rider): RiderSummary => ({
  id,
  name: name ?? null,
  phone: phone ?? null,
  vehicleType: vehicle_type ?? null,
})

/** The rpcs of riders at work: messages in, use case, messages out. */
export function fulfilmentService(ctx: Context): Handlers<typeof FulfilmentServiceService> {
  const { trackingBaseUrl } = ctx.config
  return {
    async commitAssignment(request, call) {
      require(call, 'system')
      const { order, outcome } = await actOnOrder(ctx, assignment, {
        orderId: request.order_id,
        rider: request.rider ? summaryOf(request.rider) : null,
        opKey: opKey(request.op_key),
        expectedAssignmentVersion: request.expected_assignment_version,
        accept: request.accept,
        actorType: request.actor_type,
        actorId: request.actor_id,
      })
      return {
        outcome: outcome.lost ? 'lost' : 'applied',
        reason: outcome.lost ?? undefined,
        order: orderMessage(order, trackingBaseUrl),
        previous_rider_id: outcome.previousRiderId ?? undefined,
      }
    },

    async listRiderOrders({ limit, offset, status }, call) {
      const {
        orders,
        nextCursor: _,
        ...page
      } = await listRiderOrders(ctx, require(call, 'rider'), { limit, offset, status })
      return { ...page, orders: orders.map((order) => orderMessage(order, trackingBaseUrl)) }
    },

    async getRiderOrder({ id }, call) {
      const order =
        call.caller.kind === 'system'
          ? await getOrder(ctx, 'every tenant', id)
          : await getRiderOrder(ctx, require(call, 'rider'), id)
      return { order: orderMessage(order, trackingBaseUrl) }
    },

    async updateRiderOrderStatus(request, call) {
      const order = await updateRiderOrderStatus(ctx, require(call, 'rider'), request.order_id, {
        status: request.status,
        reason: request.reason ?? null,
        photoStorageKey: request.photo_storage_key ?? null,
        clientEventId: request.client_event_id ?? null,
        point: request.point ?? null,
        occurredAt: request.occurred_at ?? null,
      })
      return { order: orderMessage(order, trackingBaseUrl) }
    },

    async recordProofOfDelivery({ order_id, rider_id, op_key, pod_json }, call) {
      const caller = require(call, 'system')
      const proof = { orderId: order_id, riderId: rider_id, opKey: opKey(op_key), podJson: pod_json }
      return { order: orderMessage(await recordProofOfDelivery(ctx, caller, proof), trackingBaseUrl) }
    },

    async recordProgress({ order_id, op_key, progress, rider_id, eta }, call) {
      require(call, 'system')
      const applied = await recordProgress(ctx, {
        orderId: order_id,
        opKey: opKey(op_key),
        kind: progress,
        riderId: rider_id ?? null,
        eta: statedEta(eta),
      })
      return { applied }
    },
  }
}
