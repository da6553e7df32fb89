import { openIntent } from '@svc/intents'
import type { Context } from '../context.ts'
import { deleteTestOrders } from '../db/orders.ts'
import { deleteTestShipments } from '../db/shipments.ts'
import { CLOSE } from '../shipments/part.ts'

const BATCH = 500

/** Deletes test orders older than the retention, with their timers and shipments, in short transactions; answers how many. */
export async function purgeTestOrders(ctx: Pick<Context, 'config' | 'database' | 'transact'>): Promise<number> {
  const total = await purgeOrders(ctx)
  while ((await purgeShipments(ctx)) === BATCH);
  return total
}

/** What a shipment holds that had not ended goes back. */
const purgeShipments = (ctx: Pick<Context, 'config' | 'transact'>): Promise<number> =>
  ctx.transact('every tenant', async (tx) => {
    const { count, unended } = await deleteTestShipments(tx, ctx.config.sandboxRetentionDays, BATCH)
    for (const { id, merchantId } of unended)
      await openIntent(tx, { kind: CLOSE, subjectId: id, merchantId, payload: {} })
    return count
  })

async function purgeOrders(ctx: Pick<Context, 'config' | 'database'>): Promise<number> {
  let total = 0
  for (;;) {
    const count = await deleteTestOrders(ctx.database, ctx.config.sandboxRetentionDays, BATCH)
    total += count
    if (count < BATCH) return total
  }
}
