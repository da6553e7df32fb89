import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { type FaultRow, findFaults, replaceFaults } from '../db/webhook-faults.ts'
import { sandboxOf } from '../domain/sandbox.ts'
import type { WebhookFault } from '../domain/webhook-fault.ts'

/** Has these things go wrong with the next deliveries of the merchant's sandbox, and nothing that was wanted before. */
export function putWebhookFaults(
  { transact }: Context,
  by: By<Tenant>,
  { faults }: { faults: readonly WebhookFault[] },
): Promise<FaultRow[]> {
  const sandbox = sandboxOf(by)
  return transact(sandbox, async (tx) => {
    await replaceFaults(tx, sandbox.merchantId, faults)
    return findFaults(tx, sandbox.merchantId)
  })
}
