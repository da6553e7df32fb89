import type { Idempotency } from '@svc/contracts/common/v1/common'
import { ServiceError } from '@svc/errors'
import type { OrmTx } from '@svc/transact'
import type { Context } from '../context.ts'
import { findReply, keepReply } from '../db/idempotent-replies.ts'
import { findByNaturalKey } from '../db/orders.ts'
import { changedFields } from '../domain/changed-fields.ts'
import type { Order } from '../domain/order.ts'
import type { OrderDraft } from '../domain/order-draft.ts'
import { readTimes } from '../domain/order-times.ts'
import type { WriteTenant } from '../domain/tenant.ts'
import type { Creation } from '../messages/creation-reply.ts'
import { orderMessage } from '../messages/order.ts'

export interface Unstored {
  tenant: WriteTenant
  draft: OrderDraft
  idempotency?: Idempotency | undefined
  /** Why the order would not be accepted if it were new, as far as that is known without the clock. */
  refusal: ServiceError | null
}

/**
 * Answers a creation that stored nothing: by the reply kept for its idempotency key, by the order that has its natural
 * key, or else by the first rule that refuses it, the clock of the database included.
 */
export async function answerEarlier(ctx: Context, request: Unstored): Promise<Creation> {
  return ctx.transact(request.tenant, async (tx) => {
    const { tenant, draft, idempotency, refusal } = request
    const replay = idempotency && (await findReply(tx, tenant, idempotency))
    if (replay) return replay

    const order = await findByNaturalKey(tx.em, tenant, draft)
    if (!order) throw refused(draft, tx.now, refusal)
    if (!order.requestFingerprint.equals(draft.fingerprint)) throw duplicate(order, draft)
    return answerOnce(tx, request, {
      order: orderMessage(order, ctx.config.trackingBaseUrl),
      idempotent: true,
      replayed: false,
      warnings: [],
    })
  })
}

/** Keeps the reply for the key; a concurrent twin that was faster has kept the same. */
async function answerOnce(tx: OrmTx, { tenant, idempotency }: Unstored, creation: Creation): Promise<Creation> {
  if (!idempotency || (await keepReply(tx, tenant, idempotency, creation))) return creation
  return (await findReply(tx, tenant, idempotency)) ?? creation
}

function refused(draft: OrderDraft, now: Date, refusal: ServiceError | null): ServiceError {
  const times = readTimes(draft.standardized, now)
  if (times instanceof ServiceError) return times
  return refusal ?? new ServiceError('service_unavailable', { retryAfterSeconds: 1 })
}

/** An order of other content has the natural key. */
export function duplicate(order: Order, draft: OrderDraft): ServiceError {
  return new ServiceError('duplicate_order', {
    details: {
      order_id: order.id,
      external_order_id: order.externalOrderId,
      source: order.source,
      changed_fields: changedFields(order, draft),
    },
  })
}
