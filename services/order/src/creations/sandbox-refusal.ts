import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { countSandboxBytes } from '../db/sandbox-usage.ts'
import { writeTenant } from '../domain/tenant.ts'

const DAY_MS = 86_400_000

/**
 * Refuses a test order beyond what a merchant may store in the sandbox on one day. What is judged is counted, whatever
 * becomes of it: sandboxes are free, and somebody pays for what they hold.
 */
export async function sandboxRefusal(ctx: Context, by: By<Tenant>, bytes: number): Promise<ServiceError | null> {
  if (by.caller.isTest !== true) return null
  const { sandboxBytesPerDay: limit } = ctx.config
  const tenant = writeTenant(by.scope)
  return ctx.transact(tenant, async (tx) => {
    if (await countSandboxBytes(tx, tenant.merchantId, bytes, limit)) return null
    const message = `The sandbox takes ${limit} bytes of orders a day. Send less in raw_payload, or go on after midnight UTC.`
    const untilMidnightMs = DAY_MS - (tx.now.getTime() % DAY_MS)
    return new ServiceError('rate_limited', {
      message,
      details: { limit_bytes: limit },
      retryAfterSeconds: Math.ceil(untilMidnightMs / 1000),
    })
  })
}
