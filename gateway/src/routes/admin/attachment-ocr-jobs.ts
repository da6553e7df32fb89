import { paging, uuid } from '@svc/inputs'
import { attachmentJobOf, attachmentOcrJobList } from '../../bodies/normalization.ts'
import { admin, reply, route } from '../../http/route.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/attachment-ocr-jobs',
    operationId: 'listAttachmentOcrJobs',
    tag: 'Inbound hooks of all merchants',
    summary: 'List what became of the attachments of mail, newest first',
    description:
      'One for each attachment: whether its text was read, and in `error` why not. `unavailable` ones could not be had or read here: something is not configured, the merchant had too many bytes within 24 hours, or the attachment is gone.',
    auth: admin('admin.ingestion.read'),
    query: { ...paging(), merchant_id: uuid.optional() },
    replies: { 200: attachmentOcrJobList },
    errors: [],
    async handle({ query }, services) {
      const jobs = await services.normalization.listAttachmentOcrJobs(query)
      return reply(200, { ...jobs, items: jobs.items.map(attachmentJobOf) })
    },
  }),
]
