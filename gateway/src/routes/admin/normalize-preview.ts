import { text, uuid } from '@svc/inputs'
import * as z from 'zod'
import { normalizedChannel, previewedNormalization, previewOf } from '../../bodies/normalization.ts'
import { admin, reply, route } from '../../http/route.ts'

export const routes = [
  route({
    method: 'POST',
    path: '/v1/admin/normalize-preview',
    operationId: 'previewNormalization',
    tag: 'Inbound hooks of all merchants',
    summary: 'See what a hook that tells of an order would come to',
    description: 'By the settings of the merchant as they are. Nothing is stored, and nothing is announced.',
    auth: admin('admin.ingestion.read'),
    body: z.object({
      channel: normalizedChannel,
      merchant_id: uuid,
      payload: z
        .union([z.looseObject({}), z.string().max(1_048_576)])
        .meta({ description: 'The body of the hook: an object, or its text byte for byte' }),
      topic: text(128).nullish().meta({ description: 'For example orders/create' }),
    }),
    opaque: 'payload',
    replies: { 200: previewedNormalization },
    errors: ['not_found'],
    async handle({ body: { channel, merchant_id, payload, topic } }, services) {
      const bytes = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload))
      const asked = { channel, merchant_id, payload: bytes, topic: topic ?? undefined }
      return reply(200, previewOf(channel, await services.normalization.previewNormalization(asked)))
    },
  }),
]
