import { type RaiseSosRequest, RiderServiceService } from '@svc/contracts/dispatch/v1/rider_service'
import { anyone, either, inPerson, keyOnly, merchant, operator, rider, rpc, serving } from '@svc/grpc'
import { pageFields } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { SEND_CHANNELS } from '../db/otps.ts'
import { RIDER_SORTS } from '../db/riders.ts'
import { readPoints } from '../domain/point.ts'
import { otpSendLogMessage, sosAlertMessage } from '../messages/alerts-and-logs.ts'
import { riderMessage } from '../messages/rider.ts'
import { sentOtpMessage } from '../messages/sent-otp.ts'
import { listOtpSendLogs } from '../use-cases/otp/list-otp-send-logs.ts'
import { getRider } from '../use-cases/riders/get-rider.ts'
import { getRiderAccount } from '../use-cases/riders/get-rider-account.ts'
import { listRiders } from '../use-cases/riders/list-riders.ts'
import { mintRiderToken } from '../use-cases/riders/mint-rider-token.ts'
import { registerRider } from '../use-cases/riders/register-rider.ts'
import { requestRiderLogin } from '../use-cases/riders/request-rider-login.ts'
import { requestRiderPhoneOtp } from '../use-cases/riders/request-rider-phone-otp.ts'
import { revokeRiderTokens } from '../use-cases/riders/revoke-rider-tokens.ts'
import { setRiderOnline } from '../use-cases/riders/set-rider-online.ts'
import { updateRider } from '../use-cases/riders/update-rider.ts'
import { verifyRiderLogin } from '../use-cases/riders/verify-rider-login.ts'
import { verifyRiderPhoneOtp } from '../use-cases/riders/verify-rider-phone-otp.ts'
import { listSosAlerts } from '../use-cases/sos/list-sos-alerts.ts'
import { raiseSos } from '../use-cases/sos/raise-sos.ts'
import { kycStatus, namedId, optionalText, phone, trimmed, vehicleType } from './pieces.ts'

const READ = operator('admin.riders.read')
const WRITE = operator('admin.riders.write')
/** A merchant on behalf of a rider of its fleet, or the rider. */
const ON_BEHALF = either(merchant('riders:location', 'orders:write'), rider())

const registration = z
  .object({
    name: trimmed(200),
    phone,
    vehicle_type: vehicleType,
    city: trimmed(100)
      .optional()
      .transform((city) => city ?? null),
  })
  .transform(({ vehicle_type, ...joiner }) => ({ ...joiner, vehicleType: vehicle_type }))

const loginRequest = z
  .object({ phone, is_test: z.boolean() })
  .transform(({ is_test, ...login }) => ({ ...login, isTest: is_test }))

const login = z
  .object({ phone, code: z.string(), is_test: z.boolean(), sandbox_merchant_id: z.string().optional() })
  .transform(({ is_test, sandbox_merchant_id, ...given }) => ({
    ...given,
    isTest: is_test,
    sandboxMerchantId: sandbox_merchant_id ?? null,
  }))

const phoneRequest = z
  .object({ rider_id: z.string(), phone: phone.optional() })
  .transform(({ rider_id, ...given }) => ({ ...given, riderId: rider_id }))

const phoneProof = z
  .object({ rider_id: z.string(), code: z.string(), phone: phone.optional() })
  .transform(({ rider_id, ...given }) => ({ ...given, riderId: rider_id }))

const sos = z
  .object({ point: z.custom<RaiseSosRequest['point']>(), note: optionalText(500) })
  .transform(({ point, note }) => ({ point: readPoints({ point })[0] ?? null, note }))

const ridersAsked = z
  .object({
    ...pageFields(),
    sort: z.enum(['', ...RIDER_SORTS]).transform((sort) => sort || 'created_desc'),
    merchant_id: namedId.optional(),
    kyc_status: kycStatus.optional(),
    is_online: z.boolean().optional(),
  })
  .transform(({ merchant_id, kyc_status, is_online, ...page }) => ({
    ...page,
    merchantId: merchant_id,
    kycStatus: kyc_status,
    isOnline: is_online,
  }))

const patch = z
  .object({ id: z.string(), kyc_status: kycStatus.optional(), is_online: z.boolean().optional() })
  .transform(({ id, kyc_status, is_online }) => ({ id, kycStatus: kyc_status, isOnline: is_online }))

const alertsAsked = z
  .object({ ...pageFields(), merchant_id: namedId.optional(), rider_id: namedId.optional() })
  .transform(({ merchant_id, rider_id, ...page }) => ({ ...page, merchantId: merchant_id, riderId: rider_id }))

const sendLogAsked = z
  .object({
    ...pageFields(),
    // Any four digits or more. A local number is kept as E.164, without its leading zero.
    phone: z
      .string()
      .transform((text) => text.replace(/\D/g, ''))
      .pipe(z.string().min(4))
      .transform((digits) => digits.replace(/^0(?=\d{10}$)/, ''))
      .optional(),
    order_id: namedId.optional(),
    channel: z.enum(SEND_CHANNELS).optional(),
  })
  .transform(({ phone: digits, order_id, ...asked }) => ({ ...asked, digits, orderId: order_id }))

/** Riders: their own acts, their merchants' and the operators'. */
export const riderService = serving<Context>()(RiderServiceService, {
  registerRider: rpc({
    access: anyone(),
    input: registration,
    async handle(ctx, by, given) {
      const { id, phoneVerifiedAt } = await registerRider(ctx, by, given)
      return { rider_id: id, phone_verified: phoneVerifiedAt !== null }
    },
  }),

  requestRiderLogin: rpc({
    access: anyone(),
    input: loginRequest,
    handle: async (ctx, by, given) => ({ otp: sentOtpMessage(await requestRiderLogin(ctx, by, given)) }),
  }),

  verifyRiderLogin: rpc({
    access: anyone(),
    input: login,
    handle: async (ctx, by, given) => ({ tokens: await verifyRiderLogin(ctx, by, given) }),
  }),

  mintRiderToken: rpc({
    access: inPerson(keyOnly(merchant('orders:write', 'riders:location'))),
    handle: async (ctx, by, { rider_id }) => ({ tokens: await mintRiderToken(ctx, by, rider_id) }),
  }),

  getRiderAccount: rpc({
    access: rider(),
    async handle(ctx, by) {
      const account = await getRiderAccount(ctx, by)
      return { rider: riderMessage(account.rider), merchant: account.merchant }
    },
  }),

  requestRiderPhoneOtp: rpc({
    access: ON_BEHALF,
    input: phoneRequest,
    handle: async (ctx, by, given) => ({ otp: sentOtpMessage(await requestRiderPhoneOtp(ctx, by, given)) }),
  }),

  verifyRiderPhoneOtp: rpc({
    access: ON_BEHALF,
    input: phoneProof,
    handle: async (ctx, by, given) => ({ rider: riderMessage(await verifyRiderPhoneOtp(ctx, by, given)) }),
  }),

  setRiderOnline: rpc({
    access: ON_BEHALF,
    async handle(ctx, by, { rider_id, is_online }) {
      const state = await setRiderOnline(ctx, by, { riderId: rider_id, isOnline: is_online })
      return { rider_id: state.riderId, is_online: state.isOnline, updated_at: state.updatedAt.toISOString() }
    },
  }),

  raiseSos: rpc({
    access: rider(),
    input: sos,
    handle: async (ctx, by, said) => ({ alert: sosAlertMessage(await raiseSos(ctx, by, said)) }),
  }),

  listRiders: rpc({
    access: READ,
    input: ridersAsked,
    async handle(ctx, by, asked) {
      const { items, total } = await listRiders(ctx, by, asked)
      return { items: items.map(riderMessage), total, limit: asked.limit, offset: asked.offset }
    },
  }),

  getRider: rpc({
    access: READ,
    async handle(ctx, by, { id }) {
      const account = await getRider(ctx, by, id)
      return { rider: riderMessage(account.rider), merchant: account.merchant }
    },
  }),

  updateRider: rpc({
    access: WRITE,
    input: patch,
    handle: async (ctx, by, given) => ({ rider: riderMessage(await updateRider(ctx, by, given)) }),
  }),

  revokeRiderTokens: rpc({
    access: WRITE,
    handle: async (ctx, by, { rider_id }) => ({ token_version: await revokeRiderTokens(ctx, by, rider_id) }),
  }),

  listSosAlerts: rpc({
    access: READ,
    input: alertsAsked,
    async handle(ctx, by, asked) {
      const { items, total } = await listSosAlerts(ctx, by, asked)
      return { items: items.map(sosAlertMessage), total, limit: asked.limit, offset: asked.offset }
    },
  }),

  listOtpSendLogs: rpc({
    access: operator('admin.otp_logs.read'),
    input: sendLogAsked,
    async handle(ctx, by, asked) {
      const { items, total } = await listOtpSendLogs(ctx, by, asked)
      return { items: items.map(otpSendLogMessage), total, limit: asked.limit, offset: asked.offset }
    },
  }),
})
