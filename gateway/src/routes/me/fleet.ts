import { maybe, paging, uuid } from '@svc/inputs'
import { ok, page, required } from '@svc/public-bodies'
import * as z from 'zod'
import { inviteCode, riderList, riderOf } from '../../bodies/rider.ts'
import { merchant, reply, route } from '../../http/route.ts'

const tag = 'Fleet'
const reading = merchant('orders:read', 'orders:write')
const writing = merchant('orders:write')

export const routes = [
  route({
    method: 'GET',
    path: '/v1/me/fleet/invite-codes',
    operationId: 'listInviteCodes',
    tag,
    summary: 'List invite codes that still work',
    description: 'Codes that have ended or were revoked are not among them.',
    auth: reading,
    query: paging(),
    replies: { 200: page('items', inviteCode) },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.fleet.listInviteCodes(query))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/fleet/invite-codes',
    operationId: 'createInviteCode',
    tag,
    summary: 'Make an invite code',
    description: 'Give it to somebody who shall join your fleet. 409 `limit_reached` where too many are open.',
    auth: writing,
    body: z.object({
      expires_in_hours: maybe(z.int().min(1).max(720)).meta({ description: '72 when absent' }),
    }),
    replies: { 201: inviteCode },
    errors: ['limit_reached'],
    async handle({ body }, services) {
      const created = await services.fleet.createInviteCode(body)
      return reply(201, required(created.invite_code))
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/me/fleet/invite-codes/{codeId}',
    operationId: 'revokeInviteCode',
    tag,
    summary: 'Revoke an invite code for good',
    description: 'Who has joined by it stays.',
    auth: writing,
    params: { codeId: uuid },
    replies: { 200: ok },
    errors: ['not_found'],
    async handle({ params }, services) {
      await services.fleet.revokeInviteCode({ id: params.codeId })
      return reply(200, { ok: true })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/me/fleet/riders',
    operationId: 'listFleetRiders',
    tag,
    summary: 'List the riders of the fleet',
    description: 'Riders who joined by an invite code, with where they were last seen.',
    auth: reading,
    query: paging(),
    replies: { 200: riderList },
    errors: [],
    async handle({ query }, services) {
      const riders = await services.fleet.listFleetRiders(query)
      return reply(200, { ...riders, items: riders.items.map(riderOf) })
    },
  }),
  route({
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
