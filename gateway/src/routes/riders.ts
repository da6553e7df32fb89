import { maybe, uuid } from '@svc/inputs'
import { id, instant, orNull, whole } from '@svc/public-bodies'
import * as z from 'zod'
import { phone } from '../bodies/phone.ts'
import { location, pointsOf, positions } from '../bodies/position.ts'
import { code, riderOf, riderRecord, sentOtp, sentOtpOf } from '../bodies/rider.ts'
import { merchantOrRider, reply, route } from '../http/route.ts'

const tag = 'Riders: work'
const auth = merchantOrRider('riders:location', 'orders:write')
const params = { riderId: uuid }

export const routes = [
  route({
    method: 'POST',
    path: '/v1/riders/{riderId}/location',
    operationId: 'recordPositions',
    tag,
    summary: 'Report where the rider is',
    description: 'Points from the future or older than the present one are kept in the history alone.',
    auth,
    params,
    body: positions,
    replies: { 200: z.object({ ok: z.literal(true), accepted: whole, location: orNull(location) }) },
    errors: ['not_found', 'rider_not_found', 'billing_blocked'],
    async handle({ params: { riderId }, body }, services) {
      const recorded = await services.position.recordPositions({ rider_id: riderId, points: pointsOf(body) })
      return reply(200, { ok: true, ...recorded })
    },
  }),
  route({
    method: 'PATCH',
    path: '/v1/riders/{riderId}/online',
    operationId: 'setRiderOnline',
    tag,
    summary: 'Go online or offline',
    description:
      'Who is online gets offers. 403 `kyc_not_approved` before approval; 409 `active_order` for who goes offline with orders under way.',
    auth,
    params,
    body: z.object({ is_online: z.boolean() }),
    replies: { 200: z.object({ rider_id: id, is_online: z.boolean(), updated_at: instant }) },
    errors: ['not_found', 'rider_not_found', 'kyc_not_approved', 'active_order'],
    async handle({ params: { riderId }, body }, services) {
      return reply(200, await services.rider.setRiderOnline({ rider_id: riderId, is_online: body.is_online }))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/riders/{riderId}/phone-otp/request',
    operationId: 'requestRiderPhoneOtp',
    tag,
    summary: "Send a code to the rider's phone, or to its next one",
    description:
      'Six digits by text message, which `phone-otp/verify` takes. 429 `otp_cooldown` a moment after the last one.',
    auth,
    params,
    body: z.object({ phone: maybe(phone).meta({ description: 'The present one when absent' }) }),
    replies: { 200: sentOtp },
    errors: ['not_found', 'rider_not_found', 'phone_in_use', 'otp_cooldown', 'outbound_sms_not_configured'],
    async handle({ params: { riderId }, body }, services) {
      const { otp } = await services.rider.requestRiderPhoneOtp({ rider_id: riderId, phone: body.phone })
      return reply(200, sentOtpOf(otp))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/riders/{riderId}/phone-otp/verify',
    operationId: 'verifyRiderPhoneOtp',
    tag,
    summary: "Prove the rider's phone",
    description:
      'Takes the six digits; a new number holds from then on. After too many wrong ones it is 429 `otp_locked`: ask for another code.',
    auth,
    params,
    body: z.object({ code, phone: maybe(phone) }),
    replies: { 200: z.object({ verified: z.literal(true), rider: riderRecord }) },
    errors: ['not_found', 'rider_not_found', 'phone_in_use', 'invalid_otp', 'otp_expired', 'otp_locked'],
    async handle({ params: { riderId }, body }, services) {
      const proven = await services.rider.verifyRiderPhoneOtp({ rider_id: riderId, ...body })
      return reply(200, { verified: true, rider: riderOf(proven.rider) })
    },
  }),
]
