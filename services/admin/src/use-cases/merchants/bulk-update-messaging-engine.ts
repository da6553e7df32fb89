import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { countOtherEngines, setNextEngines } from '../../db/messaging-engines.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { merchantUpdated } from '../../events.ts'

/**
 * Gives every merchant that has another one this messaging engine, and returns how many had. It is on record, with their
 * number, before the first changes. Each batch is a transaction, so that no merchant waits for all: where it ends before its
 * time what was done stays, and a repeat does the rest.
 */
export async function bulkUpdateMessagingEngine(
  ctx: Context,
  by: By<'every tenant'>,
  { messagingEngine }: { messagingEngine: Merchant['messagingEngine'] },
): Promise<number> {
  const merchants = await ctx.transact(by.scope, async (tx) => {
    const count = await countOtherEngines(tx, messagingEngine)
    if (count > 0)
      tx.publish(
        auditOf(by, {
          action: 'merchant.messaging_engine_bulk',
          resourceType: 'merchant',
          resourceId: 'all',
          merchantId: null,
          after: { messaging_engine: messagingEngine, merchants: count },
        }),
      )
    return count
  })
  let updated = 0
  for (let after: string | undefined; merchants > 0; ) {
    if (by.signal.aborted) throw new ServiceError('service_unavailable')
    const batch = await ctx.transact(by.scope, async (tx) => {
      const changed = await setNextEngines(tx, messagingEngine, after)
      for (const merchant of changed) tx.publish(merchantUpdated(merchant))
      return changed
    })
    updated += batch.length
    after = batch.at(-1)?.id
    if (after === undefined) break
  }
  return updated
}
