import { PositionServiceService } from '@svc/contracts/dispatch/v1/position_service'
import { either, merchant, operator, publicly, rider, rpc, service, serving } from '@svc/grpc'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { requirePoint } from '../domain/point.ts'
import { nearRiderMessage, newPosition, pastPositionMessage } from '../messages/positions.ts'
import { reporterOf, riderLocation } from '../messages/rider-location.ts'
import { getTrackedPosition } from '../use-cases/positions/get-tracked-position.ts'
import { listLivePositions } from '../use-cases/positions/list-live-positions.ts'
import { listPositionHistory } from '../use-cases/positions/list-position-history.ts'
import { listRidersNear } from '../use-cases/positions/list-riders-near.ts'
import { recordPositions } from '../use-cases/positions/record-positions.ts'
import { namedId } from './pieces.ts'

const MERCHANT = merchant('orders:read', 'orders:write')
const USUAL_HISTORY = 200

const time = z
  .string()
  .optional()
  .transform((at) => (at === undefined ? null : new Date(at)))

const historyAsked = z
  .object({
    rider_id: z.string(),
    limit: z
      .int()
      .min(0)
      .max(2_000)
      .transform((limit) => limit || USUAL_HISTORY),
    since: time,
    until: time,
    order: z.string().transform((order) => (order === 'asc' ? ('asc' as const) : ('desc' as const))),
  })
  .refine(({ since, until }) => !since || !until || since <= until, {
    path: ['since'],
    message: 'since must not be after until.',
    params: { rule: 'range' },
  })
  .transform(({ rider_id, ...asked }) => ({ ...asked, riderId: rider_id }))

const ridersNearAsked = z
  .object({
    merchant_id: namedId.optional().transform((id) => id ?? null),
    point: z.custom<Parameters<typeof requirePoint>[1]>(),
    metres: z.int().min(1).max(100_000),
    limit: z.int().min(1).max(100),
    online_only: z.boolean(),
  })
  .transform(({ merchant_id, point, metres, limit, online_only }) => ({
    merchantId: merchant_id,
    point: requirePoint('point', point),
    metres,
    limit,
    onlineOnly: online_only,
  }))

/** The rpcs of positions: riders and merchants report them, merchants and the public look at them. */
export const positionService = serving<Context>()(PositionServiceService, {
  recordPositions: rpc({
    access: either(merchant('riders:location', 'orders:write'), rider()),
    async handle(ctx, by, { rider_id: riderId, points }) {
      const { position } = await recordPositions(ctx, by, { riderId, positions: points.map(newPosition) })
      return { accepted: points.length, location: position ? riderLocation(position, reporterOf(by)) : undefined }
    },
  }),

  listPositionHistory: rpc({
    access: MERCHANT,
    input: historyAsked,
    handle: async (ctx, by, asked) => ({ items: (await listPositionHistory(ctx, by, asked)).map(pastPositionMessage) }),
  }),

  listRidersNear: rpc({
    access: either(MERCHANT, operator('admin.riders.read')),
    input: ridersNearAsked,
    handle: async (ctx, by, asked) => ({ items: (await listRidersNear(ctx, by, asked)).map(nearRiderMessage) }),
  }),

  listLivePositions: rpc({
    access: either(MERCHANT, service('gateway')),
    async handle(ctx, by, { merchant_id }) {
      const { viewer, riders } = await listLivePositions(ctx, by, merchant_id)
      return { riders: riders.map((position) => riderLocation(position, viewer)) }
    },
  }),

  getTrackedPosition: rpc({
    access: publicly(),
    async handle(ctx, by, { order_id: orderId, rider_id: riderId }) {
      const tracked = await getTrackedPosition(ctx, by, { orderId, riderId })
      return {
        point: tracked ? { lat: tracked.lat, lng: tracked.lng } : undefined,
        recorded_at: tracked?.recordedAt.toISOString(),
      }
    },
  }),
})
