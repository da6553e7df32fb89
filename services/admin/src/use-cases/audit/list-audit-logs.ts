import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { type AuditFilter, type LoggedEntry, listEntries } from '../../db/read-audit-log.ts'

/** The entries that match, newest first. */
export const listAuditLogs = (
  ctx: Context,
  by: By<'every tenant'>,
  { filter, ...page }: Page & { filter: AuditFilter },
): Promise<{ entries: LoggedEntry[]; total: number }> =>
  ctx.transact(by.scope, (tx) => listEntries({ ...ctx, tx }, filter, page))
