import { timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'
import { merchantOrRider, reply, viewedRoute } from '../../http/route.ts'
import { phone } from '../../schemas/phone.ts'
import { location as locationSchema, positions } from '../../schemas/position.ts'
import { code, riderRecord, sentOtp } from '../../schemas/rider.ts'
import { present } from '../../views/or-null.ts'
import { locationView } from '../../views/position.ts'
import { riderView, sentOtpView } from '../../views/rider.ts'
import { pointsOf } from './points-of.ts'

const tag = 'Riders: work'
const auth = merchantOrRider('riders:location', 'orders:write')
const params = { riderId: uuid }

export const oneRider = [
  viewedRoute({
    method: 'POST',
    path: '/v1/riders/{riderId}/location',
    operationId: 'recordPositions',
    tag,
    summary: 'Report where the rider is',
    description: 'Points from the future or older than the present one are kept in the history alone.',
    auth,
    params,
    body: positions,
    replies: { 200: z.strictObject({ ok: z.literal(true), accepted: z.int(), location: locationSchema.nullable() }) },
    errors: ['not_found', 'rider_not_found', 'billing_blocked'],
    async handle({ params: { riderId }, body }, services) {
      const recorded = await services.position.recordPositions({ rider_id: riderId, points: pointsOf(body) })
      const location = recorded.location ? locationView(recorded.location) : null
      return reply(200, { ok: true, accepted: recorded.accepted, location })
    },
  }),
  viewedRoute({
    method: 'PATCH',
    path: '/v1/riders/{riderId}/online',
    operationId: 'setRiderOnline',
    tag,
    summary: 'Go online or offline',
    auth,
    params,
    body: z.object({ is_online: z.boolean() }),
    replies: { 200: z.strictObject({ rider_id: uuid, is_online: z.boolean(), updated_at: timestamp }) },
    errors: ['not_found', 'rider_not_found', 'kyc_not_approved', 'active_order'],
    async handle({ params: { riderId }, body }, services) {
      const set = await services.rider.setRiderOnline({ rider_id: riderId, is_online: body.is_online })
      return reply(200, { rider_id: set.rider_id, is_online: set.is_online, updated_at: set.updated_at })
    },
  }),
  viewedRoute({
    method: 'POST',
    path: '/v1/riders/{riderId}/phone-otp/request',
    operationId: 'requestRiderPhoneOtp',
    tag,
    summary: "Send a code to the rider's phone, or to its next one",
    auth,
    params,
    body: z.object({ phone: phone.nullish().meta({ description: 'The present one when absent' }) }),
    replies: { 200: sentOtp },
    errors: ['not_found', 'rider_not_found', 'phone_in_use', 'otp_cooldown', 'outbound_sms_not_configured'],
    async handle({ params: { riderId }, body }, services) {
      const request = { rider_id: riderId, phone: body.phone ?? undefined }
      const { otp } = await services.rider.requestRiderPhoneOtp(request)
      return reply(200, sentOtpView(present(otp)))
    },
  }),
  viewedRoute({
    method: 'POST',
    path: '/v1/riders/{riderId}/phone-otp/verify',
    operationId: 'verifyRiderPhoneOtp',
    tag,
    summary: "Prove the rider's phone",
    auth,
    params,
    body: z.object({ code, phone: phone.nullish() }),
    replies: { 200: z.strictObject({ verified: z.literal(true), rider: riderRecord }) },
    errors: ['not_found', 'rider_not_found', 'phone_in_use', 'invalid_otp', 'otp_expired', 'otp_locked'],
    async handle({ params: { riderId }, body }, services) {
      const request = { rider_id: riderId, code: body.code, phone: body.phone ?? undefined }
      const proven = await services.rider.verifyRiderPhoneOtp(request)
      return reply(200, { verified: true, rider: riderView(present(proven.rider)) })
    },
  }),
]
