import { booleanWord, paging, uuid } from '@svc/inputs'
import { admin, reply, viewedRoute } from '../../http/route.ts'
import { deadLetterList, retriedDeadLetter } from '../../schemas/ingestion.ts'
import { deadLetterView } from '../../views/ingestion.ts'
import { present } from '../../views/or-null.ts'

const tag = 'Inbound hooks of all merchants'

export const adminIngestionDlq = [
  viewedRoute({
    method: 'GET',
    path: '/v1/admin/ingestion-dlq',
    operationId: 'listDeadLetters',
    tag,
    summary: 'List hooks that were genuine and could not be used, newest first',
    auth: admin('admin.ingestion.read'),
    query: { ...paging(), merchant_id: uuid.optional(), include_resolved: booleanWord.optional() },
    replies: { 200: deadLetterList },
    errors: [],
    async handle({ query: { include_resolved = false, ...query } }, services) {
      const { items, total, limit, offset } = await services.hook.listDeadLetters({ ...query, include_resolved })
      return reply(200, { items: items.map(deadLetterView), total, limit, offset })
    },
  }),
  viewedRoute({
    method: 'POST',
    path: '/v1/admin/ingestion-dlq/{id}/retry',
    operationId: 'retryDeadLetter',
    tag,
    summary: 'Hand a hook on again',
    description: 'It is resolved once it could be used.',
    auth: admin('admin.ingestion.retry'),
    params: { id: uuid },
    replies: { 200: retriedDeadLetter },
    errors: ['not_found', 'already_succeeded'],
    async handle({ params: { id } }, services) {
      const retried = await services.hook.retryDeadLetter({ id })
      return reply(200, { ok: true, dead_letter: deadLetterView(present(retried.dead_letter)) })
    },
  }),
]
