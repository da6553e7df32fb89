import { openIntent } from '@svc/intents'
import type { Context } from '../context.ts'
import { requestAbort } from '../db/commission-intents.ts'
import { deleteTestOrders } from '../db/orders.ts'
import { deleteTestShipments } from '../db/shipment-purge.ts'
import { HOLD } from '../shipments/hold.ts'
import { CLOSE } from '../shipments/part.ts'

const BATCH = 500

/** Deletes test orders older than the retention, with their timers and shipments, in short transactions; answers how many. */
export async function purgeTestOrders(ctx: Pick<Context, 'config' | 'database' | 'transact'>): Promise<number> {
  const total = await purgeOrders(ctx)
  while ((await purgeShipments(ctx)) === BATCH);
  return total
}

/** What a shipment holds that had not ended goes back, and a hold that is on its way never takes effect. */
const purgeShipments = (ctx: Pick<Context, 'config' | 'transact'>): Promise<number> =>
  ctx.transact('every tenant', async (tx) => {
    const { count, unended } = await deleteTestShipments(tx, ctx.config.sandboxRetentionDays, BATCH)
    for (const { id, merchantId, status } of unended) {
      if (status === 'draft') await requestAbort(tx, { kind: HOLD, subjectId: id })
      else await openIntent(tx, { kind: CLOSE, subjectId: id, merchantId, payload: {} })
    }
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
