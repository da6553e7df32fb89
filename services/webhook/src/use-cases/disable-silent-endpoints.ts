import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { disableSilentEndpoint, findSilentEndpoints } from '../db/silent-endpoints.ts'
import { endpointDisabledAudit } from '../events.ts'

/** As many failures in a row as open the breaker. */
const FAILURES = 20

/** Disables a batch of endpoints that have not answered for too long, each with a mail to its owner; 0 days: none. */
export async function disableSilentEndpoints(
  ctx: Pick<Context, 'config' | 'database' | 'transact'>,
  by: By<'every tenant'>,
): Promise<void> {
  const days = ctx.config.webhookDisableAfterDays
  if (days === 0) return
  for (const silent of await findSilentEndpoints(ctx.database, days, FAILURES)) {
    await ctx.transact(by.scope, async (tx) => {
      if (await disableSilentEndpoint(tx, silent, days, FAILURES)) tx.publish(endpointDisabledAudit(by.caller, silent))
    })
  }
}
