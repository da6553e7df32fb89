import type { FleetServiceService, InviteCode as InviteCodeMessage } from '@svc/contracts/dispatch/v1/rider_service'
import { type Handlers, requireMerchant } from '@svc/grpc'
import { pageOf } from '@svc/inputs'
import type { Context } from '../context.ts'
import { listActiveCodes } from '../db/invite-codes.ts'
import type { InviteCode } from '../domain/invite.ts'
import { riderMessage } from '../messages/rider.ts'
import { listFleetRiders, removeFleetRider } from '../use-cases/fleet/fleet-riders.ts'
import { createInviteCode, revokeInviteCode } from '../use-cases/fleet/invite-codes.ts'
import { redeemInvite } from '../use-cases/fleet/redeem-invite.ts'

/** A merchant's fleet over gRPC. */
export function fleetService(ctx: Context): Handlers<FleetServiceService> {
  return {
    async listInviteCodes(request, call) {
      const tenant = requireMerchant(call)
      const page = pageOf(request)
      const { items, total } = await ctx.transact(tenant, (tx) => listActiveCodes(tx, tenant.merchantId, page))
      return { items: items.map(inviteCodeMessage), total, ...page }
    },
    async createInviteCode({ expires_in_hours }, call) {
      const made = await createInviteCode(ctx, requireMerchant(call), call.caller, expires_in_hours)
      return { invite_code: inviteCodeMessage(made) }
    },
    async revokeInviteCode({ id }, call) {
      await revokeInviteCode(ctx, requireMerchant(call), call.caller, id)
      return {}
    },
    async redeemFleetInvite(request) {
      const rider = await redeemInvite(ctx, request)
      return rider ? { ok: true, rider_id: rider.id, merchant_id: rider.merchantId ?? undefined } : { ok: false }
    },
    async listFleetRiders(request, call) {
      const page = pageOf(request)
      const { items, total } = await listFleetRiders(ctx, requireMerchant(call), page)
      return { items: items.map(riderMessage), total, ...page }
    },
    async removeFleetRider({ rider_id }, call) {
      await removeFleetRider(ctx, requireMerchant(call), call.caller, rider_id)
      return {}
    },
  }
}

const inviteCodeMessage = ({ id, code, expiresAt, createdAt }: InviteCode): InviteCodeMessage => ({
  id,
  code,
  expires_at: expiresAt.toISOString(),
  created_at: createdAt.toISOString(),
})
