import type { Tenant } from '@svc/database'
import { validationError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Context } from '../context.ts'
import { countReplay, type ReplayPeriod, replayDeliveries } from '../db/deliveries.ts'
import { findEndpoint } from '../db/endpoints.ts'
import { wakeLanes } from '../db/event-log.ts'
import { replayAudit } from '../events.ts'

const MAX_EVENTS = 10_000

/** Queues the logged events of a period for delivery, all of them or none, under the event ids they always had. */
export async function replayEvents(
  ctx: Context,
  caller: Caller,
  tenant: Tenant,
  period: ReplayPeriod,
): Promise<number> {
  if (period.until <= period.since) {
    throw validationError([{ field: 'until', rule: 'after_since', message: 'until must be later than since.' }])
  }
  const queued = await ctx.transact(tenant, async (tx) => {
    const endpoint = await findEndpoint(tx, ctx.secretBox, tenant.merchantId)
    if (!endpoint.enabled) {
      throw validationError([{ field: 'enabled', rule: 'required', message: 'Enable the webhook before a replay.' }])
    }
    if ((await countReplay(tx, tenant, period, MAX_EVENTS)) > MAX_EVENTS) {
      const message = `At most ${MAX_EVENTS} events at once: narrow the period.`
      throw validationError([{ field: 'since', rule: 'max_events', limit: MAX_EVENTS, message }])
    }
    const environments = await replayDeliveries(tx, tenant, period)
    if (environments.length > 0) {
      const lanes = [...new Set(environments)].map((isTest) => ({ merchantId: tenant.merchantId, isTest }))
      await wakeLanes(tx, lanes)
    }
    tx.publish(replayAudit(caller, tenant, period, environments.length))
    return environments.length
  })
  ctx.wakeDeliveries()
  return queued
}
