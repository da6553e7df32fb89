import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { type EventPage, endOfLog, readLog } from '../db/event-log.ts'
import { logEntry } from '../messages/envelope.ts'

type Asked = Omit<EventPage, 'after'> & { after?: number | 'latest' | undefined }

/**
 * The merchant's events in the order in which they became visible. The cursor of the last one continues after it; an
 * empty page has none. After the latest there is nothing yet, and a cursor all the same: whatever becomes visible from
 * then on comes after it, for cursors are given out in the order of commits.
 */
export async function listEvents(
  ctx: Context,
  by: By<Tenant>,
  { after, ...page }: Asked,
): Promise<{ entries: string[]; nextCursor: number | undefined }> {
  const reads = ctx.reads.in(by.scope)
  if (after === 'latest') return { entries: [], nextCursor: await endOfLog(reads, by.scope) }
  const rows = await readLog(reads, by.scope, { ...page, after })
  return {
    entries: rows.map(({ cursor, envelope }) => logEntry(cursor, envelope)),
    nextCursor: rows.at(-1)?.cursor,
  }
}
