import type { Idempotency } from '@svc/contracts/common/v1/common'
import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { answerEarlier } from '../creations/answer-earlier.ts'
import { giveToRider } from '../creations/give-to-rider.ts'
import { judgeDraft } from '../creations/judge-draft.ts'
import { creationOf, newRecord } from '../creations/new-record.ts'
import { storeOrder } from '../db/store-order.ts'
import { type CreationRequest, readDraft } from '../domain/order-draft.ts'
import { readTimes } from '../domain/order-times.ts'
import { writeTenant } from '../domain/tenant.ts'
import { type Creation, decodeReply } from '../messages/creation-reply.ts'

/**
 * Stores an order once for its (source, external_order_id) and once for its idempotency key, whatever concurrent twins
 * do. What was stored before is answered before times and standing are judged, so that a retry never fails for being late.
 */
export async function createOrder(
  ctx: Context,
  by: By<Tenant>,
  { idempotency, ...request }: CreationRequest & { idempotency?: Idempotency | undefined },
): Promise<Creation> {
  const tenant = writeTenant(by.scope)
  const draft = readDraft(request)
  const times = readTimes(draft.standardized, null)
  if (times instanceof ServiceError) return answerEarlier(ctx, { tenant, draft, idempotency, refusal: times })
  const { refusal, price } = await judgeDraft(ctx, by, draft)
  if (refusal) return answerEarlier(ctx, { tenant, draft, idempotency, refusal })

  const record = newRecord(ctx, { tenant, draft, times, price, caller: by.caller, idempotency })
  const { outcome, at, stored_reply } = await storeOrder(ctx.creations, record)
  switch (outcome) {
    case 'created':
      ctx.relay.wake()
      if (record.assignment) return giveToRider(ctx, tenant, creationOf(ctx, record, at), idempotency)
      return creationOf(ctx, record, at)
    case 'replayed':
      return decodeReply(stored_reply as Buffer, at)
    case 'idempotency_conflict':
      throw new ServiceError('idempotency_conflict')
    default:
      return answerEarlier(ctx, { tenant, draft, idempotency, refusal: null })
  }
}
