import { ProofServiceService } from '@svc/contracts/dispatch/v1/proof_service'
import { rider, rpc, serving } from '@svc/grpc'
import { resourceId } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { MAX_PHOTO_BYTES, PHOTO_TYPES } from '../domain/pod-photo.ts'
import { sentOtpMessage } from '../messages/sent-otp.ts'
import { claimPodPhoto } from '../use-cases/proof/claim-pod-photo.ts'
import { presignPodPhoto } from '../use-cases/proof/presign-pod-photo.ts'
import { requestPodOtp } from '../use-cases/proof/request-pod-otp.ts'
import { verifyPodOtp } from '../use-cases/proof/verify-pod-otp.ts'

const photo = z
  .object({ content_type: z.enum(PHOTO_TYPES), size_bytes: z.int().min(1).max(MAX_PHOTO_BYTES) })
  .transform(({ content_type, size_bytes }) => ({ contentType: content_type, sizeBytes: size_bytes }))

/** The rpcs of proof of delivery: riders ask for the customer's code and prove by it. */
export const proofService = serving<Context>()(ProofServiceService, {
  requestPodOtp: rpc({
    access: rider(),
    handle: async (ctx, by, { order_id }) => ({
      otp: sentOtpMessage(await requestPodOtp(ctx, by, resourceId(order_id))),
    }),
  }),

  verifyPodOtp: rpc({
    access: rider(),
    handle: async (ctx, by, { order_id, code, photo_storage_key, point, cod_collected_minor, cod_reason }) => ({
      order: await verifyPodOtp(ctx, by, {
        orderId: resourceId(order_id),
        code,
        photoStorageKey: photo_storage_key ?? null,
        point: point ?? null,
        cash: { collectedMinor: cod_collected_minor ?? null, reason: cod_reason ?? null },
      }),
    }),
  }),

  presignPodPhoto: rpc({
    access: rider(),
    input: photo,
    async handle(ctx, by, asked) {
      const { url, headers, expiresAt, storageKey } = await presignPodPhoto(ctx, by, asked)
      return { url, headers, expires_at: expiresAt.toISOString(), storage_key: storageKey }
    },
  }),

  claimPodPhoto: rpc({
    access: rider(),
    async handle(ctx, by, { order_id, photo_storage_key }) {
      await claimPodPhoto(ctx, by, resourceId(order_id), photo_storage_key)
      return {}
    },
  }),
})
