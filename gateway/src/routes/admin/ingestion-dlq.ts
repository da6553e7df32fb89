import { booleanWord, paging, text, uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { deadLetterList, deadLetterOf, oneDeadLetter } from '../../bodies/ingestion.ts'
import { admin, reply, route } from '../../http/route.ts'

const tag = 'Inbound hooks of all merchants'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/ingestion-dlq',
    operationId: 'listDeadLetters',
    tag,
    summary: 'List hooks that were genuine and could not be used, newest first',
    description:
      '`error` says why. Mend that, then hand the hook on by `POST /v1/admin/ingestion-dlq/{id}/retry`; resolved ones are listed only with `include_resolved`.',
    auth: admin('admin.ingestion.read'),
    query: { ...paging(), merchant_id: uuid.optional(), include_resolved: booleanWord.optional() },
    replies: { 200: deadLetterList },
    errors: [],
    async handle({ query: { include_resolved = false, ...query } }, services) {
      const letters = await services.hook.listDeadLetters({ ...query, include_resolved })
      return reply(200, { ...letters, items: letters.items.map(deadLetterOf) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/ingestion-dlq/{id}/retry',
    operationId: 'retryDeadLetter',
    tag,
    summary: 'Hand a hook on again',
    description:
      'It is resolved once it could be used. Also one that has ended, as `expired` or `ended`, is handed on; 400 `already_succeeded` for any other that is resolved.',
    auth: admin('admin.ingestion.retry'),
    params: { id: uuid },
    replies: { 200: oneDeadLetter },
    errors: ['not_found', 'already_succeeded'],
    async handle({ params: { id } }, services) {
      const retried = await services.hook.retryDeadLetter({ id })
      return reply(200, { ok: true, dead_letter: deadLetterOf(required(retried.dead_letter)) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/ingestion-dlq/{id}/end',
    operationId: 'endDeadLetter',
    tag,
    summary: 'End a hook of which nothing is to come',
    description:
      'It is resolved as `ended`, other deliveries of its event are duplicates, and it goes as any other hook that is done with; until then a retry takes it up again. ' +
      '409 `invalid_state` while it is `retrying`, 400 `already_succeeded` for one that is resolved otherwise.',
    auth: admin('admin.ingestion.retry'),
    params: { id: uuid },
    body: z.object({ reason: text(512).meta({ description: 'Why, for the audit log' }) }),
    replies: { 200: oneDeadLetter },
    errors: ['not_found', 'already_succeeded', 'invalid_state'],
    async handle({ params: { id }, body: { reason } }, services) {
      const ended = await services.hook.endDeadLetter({ id, reason })
      return reply(200, { ok: true, dead_letter: deadLetterOf(required(ended.dead_letter)) })
    },
  }),
]
