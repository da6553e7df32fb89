import type { Context } from '../../context.ts'
import { takeUnscanned } from '../../db/kyb-documents.ts'
import { openScan } from './scan-kyb-document.ts'

/** Documents that are taken in one transaction. */
const BATCH = 100

/** Has documents scanned that came while there was no scanner. */
export async function rescanKybDocuments(ctx: Context, stopping: AbortSignal): Promise<void> {
  if (!ctx.scanner) return
  let taken = BATCH
  while (taken === BATCH && !stopping.aborted)
    taken = await ctx.transact('every tenant', async (tx) => {
      const documents = await takeUnscanned(tx, BATCH)
      for (const document of documents) await openScan(ctx, tx, document)
      return documents.length
    })
}
