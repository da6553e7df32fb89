import { email, maybe, text } from '@svc/inputs'
import { ok } from '@svc/public-bodies'
import * as z from 'zod'
import { PUBLIC_INQUIRY_SOURCES } from '../../bodies/inquiry.ts'
import { CONTACT } from '../../http/limits.ts'
import { publicly, reply, route } from '../../http/route.ts'

export const routes = [
  route({
    method: 'POST',
    path: '/v1/public/contact',
    operationId: 'createContactInquiry',
    tag: 'Contact',
    summary: 'Write to the operator',
    description: 'Somebody of the operator reads it. The answer is the same whatever was written.',
    auth: publicly(...CONTACT),
    body: z.object({
      name: text(200),
      email,
      message: maybe(text(4000)),
      phone: maybe(text(32)),
      source: z.enum(PUBLIC_INQUIRY_SOURCES).default('web_marketing'),
      website: text(2048, 0).optional().meta({ description: 'Leave empty' }),
    }),
    replies: { 201: ok },
    errors: [],
    async handle({ body }, services) {
      const { website, ...inquiry } = body
      if (!website) await services.inquiry.createContactInquiry(inquiry)
      return reply(201, { ok: true })
    },
  }),
]
