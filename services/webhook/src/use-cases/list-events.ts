import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { type EventPage, readLog } from '../db/event-log.ts'

/**
 * The merchant's events in the order in which they became visible. The cursor of the last one continues after it; an
 * empty page has none.
 */
export async function listEvents(
  ctx: Context,
  by: By<Tenant>,
  page: EventPage,
): Promise<{ envelopes: string[]; nextCursor: number | undefined }> {
  const rows = await readLog(ctx.reads.in(by.scope), by.scope, page)
  return { envelopes: rows.map(({ envelope }) => envelope), nextCursor: rows.at(-1)?.cursor }
}
