import type { RpcReplies } from '../rpc-replies.ts'
import { at, id, page } from './pieces.ts'

const rider = {
  id,
  rider_type: 'merchant_fleet',
  merchant_id: id,
  name: 'Ada Obi',
  phone: '+2348012345678',
  phone_verified_at: at,
  vehicle_type: 'car',
  kyc_status: 'approved',
  is_online: true,
  last_location: { point: { lat: 6.45, lng: 3.39 }, recorded_at: at },
  created_at: at,
  updated_at: at,
  version: 3,
  city: 'Lagos',
}

const riderMerchant = { id, name: 'Kitchen', slug: 'kitchen' }

export const otp = { expires_in: 600, cooldown_seconds: 60, resend_at: at }

const riderTokens = { access_token: 'a', expires_in: 43_200, rider_id: id, is_sandbox: true, merchant_id: id }

const inviteCode = { id, code: 'ABCD2345', expires_at: at, created_at: at }

const sosAlert = {
  id,
  rider_id: id,
  merchant_id: id,
  point: { lat: 6.45, lng: 3.39 },
  note: 'a flat tyre',
  created_at: at,
}

export const riderReplies = {
  requestRiderLogin: { otp },
  verifyRiderLogin: { tokens: { ...riderTokens, refresh_token: 'r', refresh_expires_in: 2_592_000 } },
  mintRiderToken: { tokens: riderTokens },
  getRiderAccount: { rider, merchant: riderMerchant },
  registerRider: { rider_id: id, phone_verified: false },
  redeemFleetInvite: { ok: true, rider_id: id, merchant_id: id, membership: 'active' },
  requestRiderPhoneOtp: { otp },
  verifyRiderPhoneOtp: { rider },
  setRiderOnline: { rider_id: id, is_online: true, updated_at: at },
  raiseSos: { alert: sosAlert },
  listRiders: { items: [rider], ...page },
  getRider: { rider, merchant: riderMerchant },
  updateRider: { rider },
  revokeRiderTokens: { token_version: 2 },
  listSosAlerts: { items: [sosAlert], ...page },
  listOtpSendLogs: {
    items: [
      {
        id,
        channel: 'rider_phone',
        phone_masked: '+234*****678',
        order_id: id,
        provider: 'messaging-a',
        status: 'sent',
        created_at: at,
      },
    ],
    ...page,
  },
  listInviteCodes: { items: [inviteCode], ...page },
  createInviteCode: { invite_code: inviteCode },
  revokeInviteCode: {},
  listFleetRiders: { items: [rider], ...page },
  removeFleetRider: {},
  leaveFleet: {},
} satisfies Partial<RpcReplies>
