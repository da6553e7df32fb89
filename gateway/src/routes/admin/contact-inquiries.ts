import { email, paging, uuid } from '@svc/inputs'
import { page, required } from '@svc/public-bodies'
import * as z from 'zod'
import { contactInquiry, INQUIRY_SOURCES, REVIEW_STATUSES } from '../../bodies/inquiry.ts'
import { admin, reply, route } from '../../http/route.ts'

const tag = 'Inquiries'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/contact-inquiries',
    operationId: 'listContactInquiries',
    tag,
    summary: 'List what people have written, newest first',
    description:
      'From the contact form, sign-ups, disputes of commissions and the messaging app. Filter by `review_status` `open` for those that nobody has looked at.',
    auth: admin('admin.inquiries.read'),
    query: {
      ...paging(100, 30),
      email: email.optional(),
      source: z.enum(INQUIRY_SOURCES).optional(),
      review_status: z.enum(REVIEW_STATUSES).optional(),
    },
    replies: { 200: page('items', contactInquiry) },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.inquiry.listContactInquiries(query))
    },
  }),
  route({
    method: 'PATCH',
    path: '/v1/admin/contact-inquiries/{inquiryId}',
    operationId: 'updateContactInquiry',
    tag,
    summary: 'Set what was made of an inquiry',
    description: 'Any status may follow any. Whoever wrote is not told.',
    auth: admin('admin.inquiries.write'),
    params: { inquiryId: uuid },
    body: z.strictObject({ review_status: z.enum(REVIEW_STATUSES) }),
    replies: { 200: contactInquiry },
    errors: ['not_found'],
    async handle({ params, body }, services) {
      const { inquiry } = await services.inquiry.updateContactInquiry({ id: params.inquiryId, ...body })
      return reply(200, required(inquiry))
    },
  }),
]
