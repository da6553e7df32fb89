import type { RiderServiceService } from '@svc/contracts/dispatch/v1/rider_service'
import { ServiceError } from '@svc/errors'
import { type Call, type Caller, type Handlers, requireAdmin } from '@svc/grpc'
import { pageOf, uuidField } from '@svc/inputs'
import type { Context } from '../context.ts'
import { listSosAlerts } from '../db/sos-alerts.ts'
import { otpSendLogMessage, sosAlertMessage } from '../messages/alerts-and-logs.ts'
import { riderMessage } from '../messages/rider.ts'
import { sentOtpMessage } from '../messages/sent-otp.ts'
import { listOtpSendLogs } from '../use-cases/otp/list-otp-send-logs.ts'
import { getRider } from '../use-cases/riders/get-rider.ts'
import { listRiders } from '../use-cases/riders/list-riders.ts'
import { requestRiderLogin, verifyRiderLogin } from '../use-cases/riders/log-in-rider.ts'
import { mintRiderToken } from '../use-cases/riders/mint-rider-token.ts'
import { requestRiderPhoneOtp, verifyRiderPhoneOtp } from '../use-cases/riders/prove-rider-phone.ts'
import { registerRider } from '../use-cases/riders/register-rider.ts'
import { revokeRiderTokens } from '../use-cases/riders/revoke-rider-tokens.ts'
import { setRiderOnline } from '../use-cases/riders/set-rider-online.ts'
import { updateRiderByOperator } from '../use-cases/riders/update-rider.ts'
import { raiseSos } from '../use-cases/sos/raise-sos.ts'

type RiderHandlers = Handlers<RiderServiceService>

/** Riders over gRPC: their own acts, their merchants' and the operators'. */
export function riderService(ctx: Context): RiderHandlers {
  return { ...joining(ctx), ...ownActs(ctx), ...operatorsActs(ctx) }
}

function joining(ctx: Context) {
  return {
    async registerRider(request) {
      const { id, phoneVerifiedAt } = await registerRider(ctx, request)
      return { rider_id: id, phone_verified: phoneVerifiedAt !== null }
    },
    async requestRiderLogin(request) {
      return { otp: sentOtpMessage(await requestRiderLogin(ctx, request)) }
    },
    async verifyRiderLogin(request) {
      return { tokens: await verifyRiderLogin(ctx, request) }
    },
    async mintRiderToken({ rider_id }, call) {
      return { tokens: await mintRiderToken(ctx, call, rider_id) }
    },
  } satisfies Partial<RiderHandlers>
}

function ownActs(ctx: Context) {
  return {
    async getRiderAccount(_request, call) {
      const caller = requireRider(call)
      const { rider, merchant } = await getRider(ctx, caller.actor.id, caller)
      return { rider: riderMessage(rider), merchant }
    },
    async requestRiderPhoneOtp(request, { caller }) {
      return { otp: sentOtpMessage(await requestRiderPhoneOtp(ctx, caller, request)) }
    },
    async verifyRiderPhoneOtp(request, { caller }) {
      return { rider: riderMessage(await verifyRiderPhoneOtp(ctx, caller, request)) }
    },
    async setRiderOnline(request, { caller }) {
      const { riderId, isOnline, updatedAt } = await setRiderOnline(ctx, caller, request)
      return { rider_id: riderId, is_online: isOnline, updated_at: updatedAt.toISOString() }
    },
    async raiseSos(request, call) {
      return { alert: sosAlertMessage(await raiseSos(ctx, requireRider(call), request)) }
    },
  } satisfies Partial<RiderHandlers>
}

function operatorsActs(ctx: Context) {
  return {
    async listRiders(request, call) {
      requireAdmin(call, 'admin.riders.read')
      const { items, total } = await listRiders(ctx, request)
      return { items: items.map(riderMessage), total, ...pageOf(request) }
    },
    async getRider({ id }, call) {
      requireAdmin(call, 'admin.riders.read')
      const { rider, merchant } = await getRider(ctx, id)
      return { rider: riderMessage(rider), merchant }
    },
    async updateRider(request, call) {
      const caller = requireAdmin(call, 'admin.riders.write')
      return { rider: riderMessage(await updateRiderByOperator(ctx, caller, request)) }
    },
    async revokeRiderTokens({ rider_id }, call) {
      const caller = requireAdmin(call, 'admin.riders.write')
      return { token_version: await revokeRiderTokens(ctx, caller, rider_id) }
    },
    async listSosAlerts(request, call) {
      requireAdmin(call, 'admin.riders.read')
      const page = pageOf(request)
      const { items, total } = await listSosAlerts(ctx.database, {
        ...page,
        merchantId: request.merchant_id && uuidField('merchant_id', request.merchant_id),
        riderId: request.rider_id && uuidField('rider_id', request.rider_id),
      })
      return { items: items.map(sosAlertMessage), total, ...page }
    },
    async listOtpSendLogs(request, call) {
      requireAdmin(call, 'admin.otp_logs.read')
      const { items, total } = await listOtpSendLogs(ctx, request)
      return { items: items.map(otpSendLogMessage), total, ...pageOf(request) }
    },
  } satisfies Partial<RiderHandlers>
}

function requireRider({ caller }: Pick<Call, 'caller'>): Caller {
  if (caller.kind !== 'rider') throw new ServiceError('forbidden')
  return caller
}
