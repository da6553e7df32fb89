import { instant } from '@svc/public-bodies'
import * as z from 'zod'
import { reply, rider, route } from '../../../http/route.ts'

const MAX_PHOTO_BYTES = 10 * 1024 * 1024

export const routes = [
  route({
    method: 'POST',
    path: '/v1/riders/me/uploads/pod-photo-presign',
    operationId: 'presignPodPhoto',
    tag: 'Riders: work',
    summary: 'Prepare the upload of a photo',
    description: 'The photo is then sent to the address with the headers; its storage_key goes with the proof.',
    auth: rider(),
    body: z.object({
      content_type: z.enum(['image/jpeg', 'image/png', 'image/webp']),
      size_bytes: z.int().min(1).max(MAX_PHOTO_BYTES),
    }),
    replies: {
      201: z.object({
        upload: z.object({
          url: z.string(),
          method: z.literal('PUT'),
          headers: z.record(z.string(), z.string()),
          expires_at: instant,
        }),
        storage_key: z.string(),
      }),
    },
    errors: ['uploads_not_configured'],
    async handle({ body }, services) {
      const { storage_key, ...upload } = await services.proof.presignPodPhoto(body)
      return reply(201, { upload: { ...upload, method: 'PUT' }, storage_key })
    },
  }),
]
