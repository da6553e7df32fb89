import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { type AuditFilter, beginExport, type LoggedEntry, readPiece } from '../../db/read-audit-log.ts'

interface ExportAuditLogs {
  filter: AuditFilter
  /** Entries that the export may still give. */
  limit: number
  /** Absent: the export begins. */
  fromSeq?: number | undefined
}

interface ExportedPiece {
  entries: LoggedEntry[]
  /** Where the next piece begins. */
  nextSeq: number | undefined
  isTruncated: boolean
}

/**
 * A piece of an export, newest first. Pieces hang together, for what is appended meanwhile stands above them; each is a
 * transaction of its own, so that no slow reader holds one open. That an export was begun is on record before its first entry leaves.
 */
export async function exportAuditLogs(
  ctx: Context,
  by: By<'every tenant'>,
  { filter, limit, fromSeq }: ExportAuditLogs,
): Promise<ExportedPiece> {
  return ctx.transact(by.scope, async (tx) => {
    const begun = fromSeq === undefined ? await beginExport(tx, filter, limit) : { fromSeq, isTruncated: false }
    if (fromSeq === undefined)
      tx.publish(
        auditOf(by, {
          action: 'audit_log.export',
          resourceType: 'audit_log',
          resourceId: filter.merchant_id ?? 'all',
          merchantId: filter.merchant_id ?? null,
          after: { ...filter, limit },
        }),
      )
    const entries = await readPiece(tx, filter, { fromSeq: begun.fromSeq, limit })
    const last = entries.at(-1)
    const isLast = last === undefined || last.seq === 1 || entries.length === limit
    return { entries, nextSeq: isLast ? undefined : last.seq - 1, isTruncated: begun.isTruncated }
  })
}
