import { paging, uuid } from '@svc/inputs'
import * as z from 'zod'
import { merchant, reply, viewedRoute } from '../../http/route.ts'
import { ok, page } from '../../schemas/pieces.ts'
import { inviteCode, riderList } from '../../schemas/rider.ts'
import { present } from '../../views/or-null.ts'
import { inviteCodeView, riderView } from '../../views/rider.ts'

const tag = 'Fleet'
const reading = merchant('orders:read', 'orders:write')
const writing = merchant('orders:write')

export const myFleet = [
  viewedRoute({
    method: 'GET',
    path: '/v1/me/fleet/invite-codes',
    operationId: 'listInviteCodes',
    tag,
    summary: 'List invite codes that still work',
    auth: reading,
    query: paging(),
    replies: { 200: page('items', inviteCode) },
    errors: [],
    async handle({ query }, services) {
      const { items, total, limit, offset } = await services.fleet.listInviteCodes(query)
      return reply(200, { items: items.map(inviteCodeView), total, limit, offset })
    },
  }),
  viewedRoute({
    method: 'POST',
    path: '/v1/me/fleet/invite-codes',
    operationId: 'createInviteCode',
    tag,
    summary: 'Make an invite code',
    auth: writing,
    body: z.object({
      expires_in_hours: z.int().min(1).max(720).nullish().meta({ description: '72 when absent' }),
    }),
    replies: { 201: inviteCode },
    errors: ['limit_reached'],
    async handle({ body }, services) {
      const expires_in_hours = body.expires_in_hours ?? undefined
      const created = await services.fleet.createInviteCode({ expires_in_hours })
      return reply(201, inviteCodeView(present(created.invite_code)))
    },
  }),
  viewedRoute({
    method: 'DELETE',
    path: '/v1/me/fleet/invite-codes/{codeId}',
    operationId: 'revokeInviteCode',
    tag,
    summary: 'Revoke an invite code for good',
    auth: writing,
    params: { codeId: uuid },
    replies: { 200: ok },
    errors: ['not_found'],
    async handle({ params }, services) {
      await services.fleet.revokeInviteCode({ id: params.codeId })
      return reply(200, { ok: true })
    },
  }),
  viewedRoute({
    method: 'GET',
    path: '/v1/me/fleet/riders',
    operationId: 'listFleetRiders',
    tag,
    summary: 'List the riders of the fleet',
    auth: reading,
    query: paging(),
    replies: { 200: riderList },
    errors: [],
    async handle({ query }, services) {
      const { items, total, limit, offset } = await services.fleet.listFleetRiders(query)
      return reply(200, { items: items.map(riderView), total, limit, offset })
    },
  }),
  viewedRoute({
    method: 'DELETE',
    path: '/v1/me/fleet/riders/{riderId}',
    operationId: 'removeFleetRider',
    tag,
    summary: 'Take a rider out of the fleet',
    description: "Ends the rider's tokens at once.",
    auth: writing,
    params: { riderId: uuid },
    replies: { 200: ok },
    errors: ['not_found', 'active_order'],
    async handle({ params }, services) {
      await services.fleet.removeFleetRider({ rider_id: params.riderId })
      return reply(200, { ok: true })
    },
  }),
]
