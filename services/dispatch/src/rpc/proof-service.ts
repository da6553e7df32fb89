import type { ProofServiceService } from '@svc/contracts/dispatch/v1/proof_service'
import { ServiceError } from '@svc/errors'
import type { Call, Caller, Handlers } from '@svc/grpc'
import { resourceId } from '@svc/inputs'
import type { Context } from '../context.ts'
import { sentOtpMessage } from '../messages/sent-otp.ts'
import { presignPodPhoto } from '../use-cases/proof/pod-photos.ts'
import { requestPodOtp } from '../use-cases/proof/request-pod-otp.ts'
import { verifyPodOtp } from '../use-cases/proof/verify-pod-otp.ts'

function requireRider({ caller }: Call): Caller {
  if (caller.kind !== 'rider') throw new ServiceError('forbidden')
  return caller
}

/** The rpcs of proof of delivery: messages in, use case, messages out. */
export function proofService(ctx: Context): Handlers<typeof ProofServiceService> {
  return {
    async requestPodOtp({ order_id }, call) {
      return { otp: sentOtpMessage(await requestPodOtp(ctx, requireRider(call), resourceId(order_id))) }
    },

    async verifyPodOtp({ order_id, code, photo_storage_key, point }, call) {
      const order = await verifyPodOtp(ctx, requireRider(call), {
        orderId: resourceId(order_id),
        code,
        photoStorageKey: photo_storage_key ?? null,
        point: point ?? null,
      })
      return { order }
    },

    async presignPodPhoto({ content_type, size_bytes }, call) {
      const photo = { contentType: content_type, sizeBytes: size_bytes }
      const { url, headers, expiresAt, storageKey } = await presignPodPhoto(ctx, requireRider(call), photo)
      return { url, headers, expires_at: expiresAt.toISOString(), storage_key: storageKey }
    },
  }
}
