import type { AssignmentServiceService, DispatchOffer } from '@svc/contracts/dispatch/v1/assignment_service'
import { ServiceError } from '@svc/errors'
import { type Call, type Handlers, requireAdmin, requireMerchant } from '@svc/grpc'
import { optionalUuid, resourceId } from '@svc/inputs'
import type { Context } from '../context.ts'
import { offeredJobs } from '../db/offered-jobs.ts'
import type { Offer } from '../domain/offer.ts'
import { requirePoint } from '../domain/point.ts'
import { offerMessage } from '../messages/offer.ts'
import { acceptOffer } from '../use-cases/assignment/accept-offer.ts'
import { assignRider } from '../use-cases/assignment/assign-rider.ts'
import { checkAssignable } from '../use-cases/assignment/check-assignable.ts'
import { declineOffer } from '../use-cases/assignment/decline-offer.ts'
import { listCandidates } from '../use-cases/assignment/list-candidates.ts'
import { listOffers } from '../use-cases/assignment/list-offers.ts'
import { readTrace } from '../use-cases/assignment/read-trace.ts'

const MAX_METRES = 100_000
const MAX_CANDIDATES = 50

function requireRider({ caller }: Call): void {
  if (caller.kind !== 'rider') throw new ServiceError('forbidden')
}

function requireReader(call: Call): void {
  if (call.caller.kind === 'admin') requireAdmin(call, 'admin.orders.read')
  else requireMerchant(call, 'orders:read')
}

/** The rpcs of assignment: merchants and operators name riders, riders answer offers. */
export function assignmentService(ctx: Context): Handlers<typeof AssignmentServiceService> {
  async function messages(offers: readonly Offer[]): Promise<DispatchOffer[]> {
    const { jobs, now } = await offeredJobs(
      ctx,
      offers.map(({ orderId }) => orderId),
    )
    return offers.map((offer) => offerMessage(offer, jobs.get(offer.orderId)!, now))
  }

  return {
    async assignRider({ order_id, rider_id, merchant_id }, call) {
      const isAdmin = call.caller.kind === 'admin'
      if (isAdmin) requireAdmin(call, 'admin.orders.write')
      else requireMerchant(call, 'orders:write')
      const assignment = {
        orderId: resourceId(order_id),
        riderId: optionalUuid('rider_id', rider_id),
        merchantId: isAdmin ? optionalUuid('merchant_id', merchant_id) : null,
      }
      const { order, previousRiderId } = await assignRider(ctx, call, assignment)
      ctx.dispatcher.wake()
      return { order, previous_rider_id: previousRiderId }
    },

    async checkAssignable({ rider_id }, call) {
      const tenant = requireMerchant(call, 'orders:write')
      const riderId = optionalUuid('rider_id', rider_id) as string
      await checkAssignable(ctx, tenant, riderId)
      return {}
    },

    async listDispatchCandidates({ order_id, point, metres, limit }, call) {
      requireReader(call)
      const { lat, lng } = requirePoint('point', point)
      const around = {
        point: { lat, lng },
        metres: Math.min(Math.max(metres, 1), MAX_METRES),
        limit: Math.min(Math.max(limit, 1), MAX_CANDIDATES),
      }
      return { candidates: await listCandidates(ctx, call, resourceId(order_id), around) }
    },

    async listDispatchOffers(_request, call) {
      requireRider(call)
      return { offers: await messages(await listOffers(ctx, call.caller)) }
    },

    async acceptDispatchOffer({ offer_id }, call) {
      requireRider(call)
      const { offer, order } = await acceptOffer(ctx, call, resourceId(offer_id))
      return { offer: (await messages([offer]))[0], order }
    },

    async declineDispatchOffer({ offer_id }, call) {
      requireRider(call)
      return { offer: (await messages([await declineOffer(ctx, call.caller, resourceId(offer_id))]))[0] }
    },

    async getDispatchTrace({ order_id }, call) {
      requireReader(call)
      const { job, rounds, offers } = await readTrace(ctx, call, resourceId(order_id))
      const shown = await messages(offers)
      return {
        order_id: job.orderId,
        rounds: rounds.map(({ started_at, ...round }) => ({
          ...round,
          started_at: started_at.toISOString(),
          offers: shown.filter((offer) => offer.round === round.round),
        })),
      }
    },
  }
}
