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
import { orNull } from './or-null.ts'

/** A rider as its fleet, operators and the rider see it. */
export const riderView = (rider: Rider): Record<string, unknown> => ({
  id: rider.id,
  rider_type: rider.rider_type,
  merchant_id: orNull(rider.merchant_id),
  name: rider.name,
  phone: rider.phone,
  phone_verified_at: orNull(rider.phone_verified_at),
  vehicle_type: rider.vehicle_type,
  kyc_status: rider.kyc_status,
  is_online: rider.is_online,
  last_location: rider.last_location?.point
    ? { ...rider.last_location.point, recorded_at: rider.last_location.recorded_at }
    : null,
  rating: null,
  created_at: rider.created_at,
  updated_at: rider.updated_at,
})

export const riderMerchantView = (merchant: RiderMerchant | undefined): Record<string, unknown> | null =>
  merchant ? { id: merchant.id, name: merchant.name, slug: merchant.slug } : null

export const sentOtpView = (otp: SentOtp): Record<string, unknown> => ({
  sent: true,
  expires_in: otp.expires_in,
  cooldown_seconds: otp.cooldown_seconds,
  resend_at: otp.resend_at,
})

export const riderTokensView = (tokens: RiderTokens): Record<string, unknown> => ({
  access_token: tokens.access_token,
  refresh_token: tokens.refresh_token,
  token_type: 'Bearer',
  expires_in: tokens.expires_in,
  refresh_expires_in: tokens.refresh_expires_in,
  scope: 'riders:location',
  rider_id: tokens.rider_id,
  merchant_id: orNull(tokens.merchant_id),
  is_test: tokens.is_sandbox,
  is_sandbox: tokens.is_sandbox,
})

/** The pair that a rider got for its refresh token. */
export const refreshedRiderView = (pair: TokenPair, rider_id: string): Record<string, unknown> =>
  riderTokensView({
    ...pair,
    rider_id,
    is_sandbox: pair.is_test === true,
    merchant_id: pair.merchant_id === '' ? undefined : pair.merchant_id,
  })

export const inviteCodeView = (invite: InviteCode): Record<string, unknown> => ({
  id: invite.id,
  code: invite.code,
  expires_at: invite.expires_at,
  created_at: invite.created_at,
})

export const sosAlertView = (alert: SosAlert): Record<string, unknown> => ({
  id: alert.id,
  rider_id: alert.rider_id,
  merchant_id: orNull(alert.merchant_id),
  lat: orNull(alert.point?.lat),
  lng: orNull(alert.point?.lng),
  note: orNull(alert.note),
  created_at: alert.created_at,
})

export const otpSendLogView = (log: OtpSendLog): Record<string, unknown> => ({
  id: log.id,
  channel: log.channel,
  phone_masked: log.phone_masked,
  order_id: orNull(log.order_id),
  provider: log.provider,
  status: log.status,
  created_at: log.created_at,
})
