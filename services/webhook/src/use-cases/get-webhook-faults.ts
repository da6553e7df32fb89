import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { type FaultRow, findFaults } from '../db/webhook-faults.ts'
import { sandboxOf } from '../domain/sandbox.ts'

/** The faults of the merchant's sandbox, with what is left of each. */
export const getWebhookFaults = ({ reads }: Context, by: By<Tenant>): Promise<FaultRow[]> => {
  const sandbox = sandboxOf(by)
  return findFaults(reads.in(sandbox), sandbox.merchantId)
}
