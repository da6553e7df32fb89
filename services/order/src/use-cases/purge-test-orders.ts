import { openIntent } from '@svc/intents'
import type { Context } from '../context.ts'
import { requestAbort } from '../db/commission-intents.ts'
import { deleteTestOrders } from '../db/orders.ts'
import { deleteTestShipments } from '../db/shipment-purge.ts'
import { HOLD } from '../shipments/hold.ts'
import { CLOSE } from '../shipments/part.ts'

const BATCH = 500
/** Of one round: what is left waits for the next, and shows in `expired_oldest_seconds`. */
const BATCHES = 200

type Purging = Pick<Context, 'config' | 'database' | 'transact'>

/**
 * Deletes test orders older than the retention, with their timers and then their shipments, in short transactions: so many
 * of each at the most, and none once the process stops. Answers how many orders.
 */
export async function purgeTestOrders(ctx: Purging, stopping?: AbortSignal): Promise<number> {
  const { sandboxRetentionDays: days } = ctx.config
  const total = await inBatches(() => deleteTestOrders(ctx.database, days, BATCH), stopping)
  await inBatches(() => purgeShipments(ctx), stopping)
  return total
}

async function inBatches(purge: () => Promise<number>, stopping?: AbortSignal): Promise<number> {
  let total = 0
  for (let batch = 0; batch < BATCHES && !stopping?.aborted; batch++) {
    const count = await purge()
    total += count
    if (count < BATCH) break
  }
  return total
}

/** What a shipment holds that had not ended goes back, and a hold that is on its way never takes effect. */
const purgeShipments = (ctx: Purging): Promise<number> =>
  ctx.transact('every tenant', async (tx) => {
    const { count, unended } = await deleteTestShipments(tx, ctx.config.sandboxRetentionDays, BATCH)
    for (const { id, merchantId, status } of unended) {
      if (status === 'draft') await requestAbort(tx, { kind: HOLD, subjectId: id })
      else await openIntent(tx, { kind: CLOSE, subjectId: id, merchantId, payload: {} })
    }
    return count
  })
