import type { TokenPair } from '@svc/contracts/admin/v1/credential_service'
import type { Rider } from '@svc/contracts/dispatch/v1/rider'
import type {
  InviteCode,
  OtpSendLog,
  RiderMerchant,
  RiderTokens,
  SentOtp,
  SosAlert,
} from '@svc/contracts/dispatch/v1/rider_service'
import { matching, maybe, text } from '@svc/inputs'
import { fieldsOf, id, instant, orNull, page, required, whole, words } from '@svc/public-bodies'
import * as z from 'zod'
import { phone } from './phone.ts'
import { VEHICLES, vehicle } from './pieces.ts'

export const KYC_STATUSES = ['pending', 'approved', 'rejected'] as const

/** A rider as its fleet, operators and the rider see it. */
export const riderRecord = z
  .object({
    ...fieldsOf<Rider>()({
      id,
      rider_type: words('merchant_fleet', 'freelancer'),
      merchant_id: orNull(id),
      name: z.string(),
      phone: z.string(),
      phone_verified_at: orNull(instant),
      vehicle_type: words(...VEHICLES),
      kyc_status: words(...KYC_STATUSES),
      is_online: z.boolean(),
      last_location: orNull(z.object({ lat: z.number(), lng: z.number(), recorded_at: instant })),
      created_at: instant,
      updated_at: instant,
    }),
    // Generators of clients have no type for what is null alone.
    rating: z.null().meta({ override: { type: ['number', 'null'] } }),
  })
  .meta({ id: 'Rider' })

export function riderOf(message: Rider | undefined) {
  const rider = required(message)
  const { point, recorded_at } = rider.last_location ?? {}
  return { ...rider, last_location: point && { ...point, recorded_at }, rating: null }
}

export const riderList = page('items', riderRecord)

export const riderMerchant = z
  .object(fieldsOf<RiderMerchant>()({ id, name: z.string(), slug: z.string() }))
  .meta({ id: 'RiderMerchant' })

/** What is known of a person who wants to ride. */
export const newRider = { name: text(200), phone, vehicle_type: maybe(vehicle) }

/** A code sent by SMS. */
export const sentOtp = z
  .object({
    sent: z.literal(true),
    ...fieldsOf<SentOtp>()({
      expires_in: whole.meta({ description: 'Seconds' }),
      cooldown_seconds: whole,
      resend_at: instant,
    }),
  })
  .meta({ id: 'SentCode' })

export const sentOtpOf = (otp: SentOtp | undefined) => ({ ...required(otp), sent: true as const })

export const code = matching(/^\d{6}$/, 'must be six digits').meta({ example: '123456' })

export const riderTokens = z
  .object({
    ...fieldsOf<RiderTokens>()({
      access_token: z.string(),
      refresh_token: z.string().optional().meta({ description: "Not beside tokens minted with a merchant's key" }),
      expires_in: whole.meta({ description: 'Seconds' }),
      refresh_expires_in: whole.optional().meta({ description: 'Seconds' }),
      rider_id: id,
      merchant_id: orNull(id).meta({ description: 'To which the token is bound' }),
      is_sandbox: z.boolean(),
    }),
    token_type: z.literal('Bearer'),
    scope: z.literal('riders:location'),
    is_test: z.boolean(),
  })
  .meta({ id: 'RiderTokens' })

export function riderTokensOf(message: RiderTokens | undefined) {
  const tokens = required(message)
  return {
    ...tokens,
    token_type: 'Bearer' as const,
    scope: 'riders:location' as const,
    is_test: tokens.is_sandbox,
  }
}

/** The pair that a rider got for its refresh token. */
export const refreshedRiderOf = (pair: TokenPair, rider_id: string) =>
  riderTokensOf({
    ...pair,
    rider_id,
    is_sandbox: pair.is_test === true,
    merchant_id: pair.merchant_id === '' ? undefined : pair.merchant_id,
  })

export const inviteCode = z
  .object(fieldsOf<InviteCode>()({ id, code: z.string(), expires_at: instant, created_at: instant }))
  .meta({ id: 'InviteCode' })

export const sosAlert = z
  .object({
    ...fieldsOf<SosAlert>()({
      id,
      rider_id: id,
      merchant_id: orNull(id),
      note: orNull(z.string()),
      created_at: instant,
    }),
    lat: orNull(z.number()),
    lng: orNull(z.number()),
  })
  .meta({ id: 'SosAlert' })

export const sosAlertOf = (alert: SosAlert) => ({ ...alert, lat: alert.point?.lat, lng: alert.point?.lng })

export const OTP_CHANNELS = ['rider_phone', 'delivery_on_order_create', 'pod_rider_request'] as const

export const otpSendLog = z
  .object(
    fieldsOf<OtpSendLog>()({
      id,
      channel: words(...OTP_CHANNELS),
      phone_masked: z.string(),
      order_id: orNull(id),
      provider: z.string(),
      status: z.string(),
      created_at: instant,
    }),
  )
  .meta({ id: 'OtpSendLog' })
