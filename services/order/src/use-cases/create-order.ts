import type { Idempotency } from '@svc/contracts/common/v1/common'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { createDrafted } from '../creations/create-drafted.ts'
import { type CreationRequest, readDraft } from '../domain/order-draft.ts'
import { writeTenant } from '../domain/tenant.ts'
import type { Creation } from '../messages/creation-reply.ts'

/** Stores an order, or answers what was stored before for its natural key or its idempotency key. */
export async function createOrder(
  ctx: Context,
  by: By<Tenant>,
  { idempotency, ...request }: CreationRequest & { idempotency?: Idempotency | undefined },
): Promise<Creation> {
  writeTenant(by.scope)
  return createDrafted(ctx, by, { draft: readDraft(request), idempotency })
}
