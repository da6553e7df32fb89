import { maybe, text } from '@svc/inputs'
import { id, required, words } from '@svc/public-bodies'
import * as z from 'zod'
import { phone } from '../../bodies/phone.ts'
import { code, newRider, sentOtp, sentOtpOf } from '../../bodies/rider.ts'
import { environment, isSandbox } from '../../http/environment.ts'
import { INVITE_REDEEM, RIDER_OTP, RIDER_REGISTER } from '../../http/limits.ts'
import { publicly, reply, route } from '../../http/route.ts'

const tag = 'Riders: joining'

export const routes = [
  route({
    method: 'POST',
    path: '/v1/public/riders/fleet-invite/redeem',
    operationId: 'redeemFleetInvite',
    tag,
    summary: "Join a merchant's fleet with an invite code",
    description:
      'A code works once. Unknown, expired, revoked and used ones, and those held for another rider, answer ok false. A phone ' +
      'that its rider has proven is sent a code that names the business; until a second call brings it as `otp`, the ' +
      'membership is pending and nothing has changed.',
    auth: publicly(...INVITE_REDEEM),
    body: z.object({
      code: text(64),
      ...newRider,
      otp: code.optional().meta({ description: 'Completes a pending membership' }),
    }),
    replies: {
      200: z.union([
        z.object({
          ok: z.literal(true),
          rider_id: id,
          merchant_id: id,
          membership: words('active', 'pending'),
        }),
        z.object({ ok: z.literal(false) }),
      ]),
    },
    errors: [
      'phone_in_use',
      'active_order',
      'invalid_otp',
      'otp_expired',
      'otp_locked',
      'not_found',
      'outbound_sms_not_configured',
    ],
    async handle({ body }, services) {
      const { ok, rider_id, merchant_id, membership } = await services.fleet.redeemFleetInvite(body)
      if (!ok) return reply(200, { ok: false })
      return reply(200, {
        ok: true,
        rider_id: required(rider_id),
        merchant_id: required(merchant_id),
        membership: required(membership),
      })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/public/riders/register/start',
    operationId: 'registerRider',
    tag,
    summary: 'Register as a freelancer',
    description:
      "A freelancer's phone that is known answers with its rider, one of a fleet's rider is refused. The phone is proven by the first log-in.",
    auth: publicly(...RIDER_REGISTER),
    body: z.object({ ...newRider, city: maybe(text(100)) }),
    replies: { 200: z.object({ ok: z.literal(true), rider_id: id, phone_verified: z.boolean() }) },
    errors: ['phone_in_use'],
    async handle({ body }, services) {
      return reply(200, { ok: true, ...(await services.rider.registerRider(body)) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/public/riders/phone-otp/request',
    operationId: 'publicRequestRiderLogin',
    tag,
    summary: 'Send a code that proves the phone of a new rider',
    description: 'The code is verified by POST /v1/auth/rider/phone-otp/verify.',
    auth: { ...publicly(), bodyLimits: RIDER_OTP },
    headers: environment,
    body: z.object({ phone }),
    replies: { 200: sentOtp },
    errors: ['otp_cooldown', 'outbound_sms_not_configured'],
    async handle({ headers, body }, services) {
      const { otp } = await services.rider.requestRiderLogin({ phone: body.phone, is_test: isSandbox(headers) })
      return reply(200, sentOtpOf(otp))
    },
  }),
]
