import { text, timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'
import { phone } from './phone.ts'
import { page, VEHICLES, vehicle } from './pieces.ts'
import { latitude, longitude } from './point.ts'

export const KYC_STATUSES = ['pending', 'approved', 'rejected'] as const

/** Someone who carries orders. */
export const riderRecord = z
  .strictObject({
    id: uuid,
    rider_type: z.enum(['merchant_fleet', 'freelancer']),
    merchant_id: uuid.nullable(),
    name: z.string(),
    phone: z.string(),
    phone_verified_at: timestamp.nullable(),
    vehicle_type: z.enum(VEHICLES),
    kyc_status: z.enum(KYC_STATUSES),
    is_online: z.boolean(),
    last_location: z.strictObject({ lat: latitude, lng: longitude, recorded_at: timestamp }).nullable(),
    rating: z.null(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Rider' })

export const riderList = page('items', riderRecord)

export const riderMerchant = z
  .strictObject({ id: uuid, name: z.string(), slug: z.string() })
  .meta({ id: 'RiderMerchant' })

/** What is known of someone who wants to ride. */
export const newRider = { name: text(200), phone, vehicle_type: vehicle.nullish() }

/** A code sent by SMS. */
export const sentOtp = z
  .strictObject({
    sent: z.literal(true),
    expires_in: z.int().meta({ description: 'Seconds' }),
    cooldown_seconds: z.int(),
    resend_at: timestamp,
  })
  .meta({ id: 'SentCode' })

export const code = z
  .string()
  .regex(/^\d{6}$/, 'must be six digits')
  .meta({ example: '123456' })

export const riderTokens = z
  .strictObject({
    access_token: z.string(),
    refresh_token: z.string().optional().meta({ description: "Not beside tokens minted with a merchant's key" }),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds' }),
    refresh_expires_in: z.int().optional().meta({ description: 'Seconds' }),
    scope: z.literal('riders:location'),
    rider_id: uuid,
    merchant_id: uuid.nullable().meta({ description: 'To which the token is bound' }),
    is_test: z.boolean(),
    is_sandbox: z.boolean(),
  })
  .meta({ id: 'RiderTokens' })

export const inviteCode = z
  .strictObject({ id: uuid, code: z.string(), expires_at: timestamp, created_at: timestamp })
  .meta({ id: 'InviteCode' })

export const sosAlert = z
  .strictObject({
    id: uuid,
    rider_id: uuid,
    merchant_id: uuid.nullable(),
    lat: latitude.nullable(),
    lng: longitude.nullable(),
    note: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'SosAlert' })

export const OTP_CHANNELS = ['rider_phone', 'delivery_on_order_create', 'pod_rider_request'] as const

export const otpSendLog = z
  .strictObject({
    id: uuid,
    channel: z.enum(OTP_CHANNELS),
    phone_masked: z.string(),
    order_id: uuid.nullable(),
    provider: z.string(),
    status: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'OtpSendLog' })
