import type { Idempotency } from '@svc/contracts/common/v1/common'
import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Context } from '../context.ts'
import { storeOrder } from '../db/store-order.ts'
import { type CreationRequest, readDraft } from '../domain/order-draft.ts'
import { readTimes } from '../domain/order-times.ts'
import { type Creation, decodeReply } from '../messages/creation-reply.ts'
import { answerEarlier } from './answer-earlier.ts'
import { giveToRider } from './give-to-rider.ts'
import { judgeDraft } from './judge-draft.ts'
import { creationOf, newRecord } from './new-record.ts'
import { writeTenant } from './write-tenant.ts'

/**
 * Stores an order once for its (source, external_order_id) and once for its idempotency key, whatever concurrent twins
 * do. What was stored before is answered before times and gates are judged, so that a retry never fails for being late.
 */
export async function createOrder(
  ctx: Context,
  caller: Caller,
  request: CreationRequest,
  idempotency: Idempotency | undefined,
): Promise<Creation> {
  const tenant = writeTenant(caller)
  const draft = readDraft(request)
  const times = readTimes(draft.standardized, null)
  if (times instanceof ServiceError) return answerEarlier(ctx, { tenant, draft, idempotency, refusal: times })
  const { refusal, price } = await judgeDraft(ctx, draft, caller)
  if (refusal) return answerEarlier(ctx, { tenant, draft, idempotency, refusal })

  const record = newRecord(ctx, { tenant, draft, times, price, caller, idempotency })
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
