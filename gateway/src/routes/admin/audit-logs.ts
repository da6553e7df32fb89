import type { AuditLog, ExportAuditLogsRequest, ExportAuditLogsResponse } from '@svc/contracts/admin/v1/audit_service'
import { paging, text, upTo, uuid } from '@svc/inputs'
import { page } from '@svc/public-bodies'
import { auditLog, auditLogOf } from '../../bodies/audit.ts'
import { lines, NDJSON } from '../../http/lines.ts'
import { admin, reply, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'

const tag = 'Audit log'
const word = text(64).optional()
const filters = { merchant_id: uuid.optional(), action: word, resource_type: word, actor_type: word }
/** As long as a slow reader may take. */
const EXPORT_DEADLINE_MS = 120_000

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/audit-logs',
    operationId: 'listAuditLogs',
    tag,
    summary: 'List what privileged acts were done, newest first',
    description:
      'A `before` or `after` of more than 64 KiB is told by its size, `{"left_out_bytes": …}`; the export has it. ' +
      'total is exact up to 100,000 where a filter is stated.',
    auth: admin('admin.audit.read'),
    query: { ...paging(), ...filters },
    replies: { 200: page('logs', auditLog) },
    errors: [],
    async handle({ query }, services) {
      const found = await services.audit.listAuditLogs(query)
      return reply(200, { ...found, logs: found.logs.map(auditLogOf) })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/admin/audit-logs/export',
    operationId: 'exportAuditLogs',
    tag,
    summary: 'Export the audit log, one entry per line, newest first',
    description:
      'The header `X-Truncated: true` says that more entries match than `limit` lets through. A body that breaks off is ' +
      'none of the whole. That the log was exported is an entry of the log.',
    auth: admin('admin.audit.export'),
    deadlineMs: EXPORT_DEADLINE_MS,
    query: { limit: upTo(5_000, 2_000), ...filters },
    media: NDJSON,
    replies: { 200: lines(auditLog) },
    errors: [],
    async handle({ query }, services) {
      const first = await services.audit.exportAuditLogs(query)
      const headers = first.is_truncated ? { 'X-Truncated': 'true' } : undefined
      return reply(200, entriesFrom(first, query, services), headers)
    },
  }),
]

/** The entries of the first piece and of those below it, each piece asked for once the one before has left. */
async function* entriesFrom(
  first: ExportAuditLogsResponse,
  asked: ExportAuditLogsRequest,
  services: Services,
): AsyncGenerator<ReturnType<typeof auditLogOf>> {
  let { logs, next_seq: nextSeq }: { logs: AuditLog[]; next_seq?: number | undefined } = first
  for (let left = asked.limit; ; ) {
    yield* logs.map(auditLogOf)
    left -= logs.length
    if (nextSeq === undefined || left <= 0) return
    ;({ logs, next_seq: nextSeq } = await services.audit.exportAuditLogs({ ...asked, limit: left, from_seq: nextSeq }))
  }
}
