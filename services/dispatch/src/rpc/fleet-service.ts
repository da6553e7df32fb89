import { FleetServiceService } from '@svc/contracts/dispatch/v1/rider_service'
import { anyone, liveOnly, merchant, rider, rpc, serving } from '@svc/grpc'
import { pageFields } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { inviteCodeMessage } from '../messages/invite-code.ts'
import { riderMessage } from '../messages/rider.ts'
import { createInviteCode } from '../use-cases/fleet/create-invite-code.ts'
import { leaveFleet } from '../use-cases/fleet/leave-fleet.ts'
import { listFleetRiders } from '../use-cases/fleet/list-fleet-riders.ts'
import { listInviteCodes } from '../use-cases/fleet/list-invite-codes.ts'
import { redeemFleetInvite } from '../use-cases/fleet/redeem-fleet-invite.ts'
import { removeFleetRider } from '../use-cases/fleet/remove-fleet-rider.ts'
import { revokeInviteCode } from '../use-cases/fleet/revoke-invite-code.ts'
import { phone, trimmed, vehicleType } from './pieces.ts'

// Riders and their fleets are live: a sandbox has one rider, which is not its own.
const READ = liveOnly(merchant('orders:read', 'orders:write'))
const WRITE = liveOnly(merchant('orders:write'))

const page = z.object(pageFields())

const invite = z
  .object({ code: z.string(), name: trimmed(200), phone, vehicle_type: vehicleType, otp: z.string().optional() })
  .transform(({ vehicle_type, ...joiner }) => ({ ...joiner, vehicleType: vehicle_type }))

/** A merchant's own fleet and the codes by which riders join it. */
export const fleetService = serving<Context>()(FleetServiceService, {
  listInviteCodes: rpc({
    access: READ,
    input: page,
    async handle(ctx, by, asked) {
      const { items, total } = await listInviteCodes(ctx, by, asked)
      return { items: items.map(inviteCodeMessage), total, ...asked }
    },
  }),

  createInviteCode: rpc({
    access: WRITE,
    handle: async (ctx, by, { expires_in_hours }) => ({
      invite_code: inviteCodeMessage(await createInviteCode(ctx, by, expires_in_hours)),
    }),
  }),

  revokeInviteCode: rpc({
    access: WRITE,
    async handle(ctx, by, { id }) {
      await revokeInviteCode(ctx, by, id)
      return {}
    },
  }),

  redeemFleetInvite: rpc({
    access: anyone(),
    input: invite,
    async handle(ctx, by, given) {
      const found = await redeemFleetInvite(ctx, by, given)
      if (!found) return { ok: false }
      const { riderId: rider_id, merchantId: merchant_id, isPending } = found
      return { ok: true, rider_id, merchant_id, membership: isPending ? 'pending' : 'active' }
    },
  }),

  listFleetRiders: rpc({
    access: READ,
    input: page,
    async handle(ctx, by, asked) {
      const { items, total } = await listFleetRiders(ctx, by, asked)
      return { items: items.map(riderMessage), total, ...asked }
    },
  }),

  removeFleetRider: rpc({
    access: WRITE,
    async handle(ctx, by, { rider_id }) {
      await removeFleetRider(ctx, by, rider_id)
      return {}
    },
  }),

  leaveFleet: rpc({
    access: rider(),
    async handle(ctx, by) {
      await leaveFleet(ctx, by)
      return {}
    },
  }),
})
