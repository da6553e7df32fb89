import { AuditServiceService } from '@svc/contracts/admin/v1/audit_service'
import { operator, rpc, serving } from '@svc/grpc'
import { idField, pageFields } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { auditLogMessage } from '../messages/audit-log.ts'
import { exportAuditLogs } from '../use-cases/audit/export-audit-logs.ts'
import { listAuditLogs } from '../use-cases/audit/list-audit-logs.ts'

const word = z.string().max(64).optional()
const filter = { merchant_id: idField.optional(), action: word, resource_type: word, actor_type: word }

/** The audit log, as operators read it. */
export const auditService = serving<Context>()(AuditServiceService, {
  listAuditLogs: rpc({
    access: operator('admin.audit.read'),
    input: z.object({ ...pageFields(), ...filter }),
    async handle(ctx, by, { limit, offset, ...asked }) {
      const { entries, total } = await listAuditLogs(ctx, by, { limit, offset, filter: asked })
      return { logs: entries.map(auditLogMessage), total, limit, offset }
    },
  }),

  exportAuditLogs: rpc({
    access: operator('admin.audit.export'),
    input: z.object({ ...filter, limit: z.int().min(1).max(5_000), from_seq: z.int().min(0).optional() }),
    async handle(ctx, by, { limit, from_seq: fromSeq, ...asked }) {
      const { entries, nextSeq, isTruncated } = await exportAuditLogs(ctx, by, { filter: asked, limit, fromSeq })
      return { logs: entries.map(auditLogMessage), next_seq: nextSeq, is_truncated: isTruncated }
    },
  }),
})
