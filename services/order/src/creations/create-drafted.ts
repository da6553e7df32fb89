import type { Idempotency } from '@svc/contracts/common/v1/common'
import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { storeOrder } from '../db/store-order.ts'
import { addressWarnings } from '../domain/address-memory.ts'
import type { OrderDraft } from '../domain/order-draft.ts'
import { readTimes } from '../domain/order-times.ts'
import { writeTenant } from '../domain/tenant.ts'
import { type Creation, decodeReply } from '../messages/creation-reply.ts'
import { answerEarlier } from './answer-earlier.ts'
import { giveToRider } from './give-to-rider.ts'
import { judgeDraft } from './judge-draft.ts'
import { creationOf, newRecord } from './new-record.ts'

/**
 * Stores what a draft says once for its (source, external_order_id) and once for its idempotency key, whatever concurrent
 * twins do. What was stored before is answered before times and standing are judged, so that a retry never fails for being late.
 */
export async function createDrafted(
  ctx: Context,
  by: By<Tenant>,
  { draft, idempotency }: { draft: OrderDraft; idempotency?: Idempotency | undefined },
): Promise<Creation> {
  const tenant = writeTenant(by.scope)
  const times = readTimes(draft.standardized, null)
  if (times instanceof ServiceError) return answerEarlier(ctx, { tenant, draft, idempotency, refusal: times })
  const { refusal, price } = await judgeDraft(ctx, by, draft)
  if (refusal) return answerEarlier(ctx, { tenant, draft, idempotency, refusal })

  const record = newRecord(ctx, { tenant, draft, times, price, caller: by.caller, idempotency })
  const { outcome, at, stored_reply, pin } = await storeOrder(ctx.creations, record)
  switch (outcome) {
    case 'created': {
      ctx.relay.wake()
      const created = creationOf(record, at)
      const answered = record.assignment ? await giveToRider(ctx, tenant, created, idempotency) : created
      return { ...answered, warnings: addressWarnings(pin, draft.dropoff) }
    }
    case 'replayed':
      return decodeReply(stored_reply as Buffer, at)
    case 'idempotency_conflict':
      throw new ServiceError('idempotency_conflict')
    default:
      return answerEarlier(ctx, { tenant, draft, idempotency, refusal: null })
  }
}
