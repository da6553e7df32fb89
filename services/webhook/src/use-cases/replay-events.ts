import { validationError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { countReplay, type ReplayPeriod, replayDeliveries } from '../db/deliveries.ts'
import { findEndpoints } from '../db/endpoints.ts'
import { wakeLanes } from '../db/lanes.ts'
import type { DeliveryStatus } from '../domain/delivery-status.ts'
import { assertMayRepeat, type Endpoints, workingEndpoint } from '../domain/endpoint.ts'
import { replayAudit } from '../events.ts'

const MAX_EVENTS = 10_000
const END_OF_TIME = new Date(8.64e15)

interface ReplayEvents {
  since: Date
  until?: Date | undefined
  /** None: all of them. */
  events: readonly string[]
  /** Only events whose delivery stands so. */
  status?: DeliveryStatus | undefined
}

/** Queues the logged events of a period for delivery, all of them or none, under the event ids they always had. */
export async function replayEvents(ctx: Context, by: By<Tenant>, input: ReplayEvents): Promise<number> {
  const period = periodOf(input)
  if (period.until <= period.since) {
    throw validationError([{ field: 'until', rule: 'after_since', message: 'until must be later than since.' }])
  }
  const queued = await ctx.transact(by.scope, async (tx) => {
    const endpoints = await findEndpoints(tx, ctx.secretBox, by.scope.merchantId)
    const tenant = enabledOf(by.scope, endpoints)
    if (tenant === null) {
      throw validationError([{ field: 'enabled', rule: 'required', message: 'Enable the webhook before a replay.' }])
    }
    assertMayRepeat(by.scope.isTest, endpoints)
    if ((await countReplay(tx, tenant, period, MAX_EVENTS)) > MAX_EVENTS) {
      const message = `At most ${MAX_EVENTS} events at once: narrow the period.`
      throw validationError([{ field: 'since', rule: 'max_events', limit: MAX_EVENTS, message }])
    }
    const environments = await replayDeliveries(tx, tenant, period)
    if (environments.length > 0) {
      const lanes = [...new Set(environments)].map((isTest) => ({ merchantId: tenant.merchantId, isTest }))
      await wakeLanes(tx, lanes)
    }
    tx.publish(replayAudit(by.caller, tenant, period, environments.length))
    return environments.length
  })
  ctx.deliveries.wake()
  return queued
}

/** Of the environments in the scope those whose events are sent; null where none are. */
function enabledOf({ merchantId, isTest }: Tenant, endpoints: Endpoints): Tenant | null {
  const asked = isTest === null ? [false, true] : [isTest]
  const enabled = asked.filter((environment) => workingEndpoint(endpoints, environment).enabled)
  if (enabled.length === 0) return null
  return { merchantId, isTest: enabled.length === 2 ? null : enabled[0] === true }
}

const periodOf = ({ since, until = END_OF_TIME, events, status }: ReplayEvents): ReplayPeriod => ({
  since,
  until,
  events: events.length > 0 ? events : null,
  status: status ?? null,
})
