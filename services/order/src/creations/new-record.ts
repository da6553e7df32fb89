import { randomUUID } from 'node:crypto'
import type { Idempotency } from '@svc/contracts/common/v1/common'
import type { Caller } from '@svc/grpc'
import type { Context } from '../context.ts'
import type { AssignIntent, NewRecord } from '../db/store-order.ts'
import { addressKey } from '../domain/address-memory.ts'
import { factJson } from '../domain/fact-json.ts'
import { newOrder, newTrackingToken } from '../domain/new-order.ts'
import type { OrderDraft } from '../domain/order-draft.ts'
import type { OrderTimes } from '../domain/order-times.ts'
import type { Price } from '../domain/price.ts'
import type { WriteTenant } from '../domain/tenant.ts'
import { orderCreatedPayload } from '../events.ts'
import { type Creation, encodeReply } from '../messages/creation-reply.ts'
import { orderMessage } from '../messages/order.ts'

export interface Accepted {
  tenant: WriteTenant
  draft: OrderDraft
  times: OrderTimes
  price: Price | null
  caller: Caller
  idempotency?: Idempotency | undefined
  /** No webhook for order.created. */
  isMuted?: boolean
}

/** Everything that create_order() stores for an accepted draft, each part serialised once. */
export function newRecord(ctx: Context, accepted: Accepted): NewRecord {
  const { tenant, draft, times, price, idempotency, isMuted = false } = accepted
  const identity = { id: randomUUID(), trackingToken: newTrackingToken(), ...tenant }
  const order = newOrder(identity, draft, times, price)
  const message = orderMessage(order, ctx.config.trackingBaseUrl)
  const payload = orderCreatedPayload(message, isMuted)
  // A fact and a reply that hold nothing but the whole order are the same bytes: field 1 of both messages.
  const isReplyToo = !isMuted && factJson(order.unifiedJson) === order.unifiedJson
  const reply = isReplyToo || !idempotency ? null : encodeReply(creationOf({ message }))
  return {
    order,
    message,
    payload,
    reply,
    idempotency,
    assignment: assignmentOf(accepted),
    addressKey: addressKey(tenant, draft.standardized),
  }
}

/** The intent that a creation for a rider leaves. */
function assignmentOf({ draft: { riderId }, caller }: Accepted): AssignIntent | null {
  return riderId === null ? null : { riderId, actor: caller.actor, actingFor: caller.actingFor }
}

/** The answer to a creation, complete once the database has told its time. */
export function creationOf({ message }: Pick<NewRecord, 'message'>, at?: Date): Creation {
  const time = at?.toISOString()
  return { order: { ...message, created_at: time, updated_at: time }, idempotent: false, replayed: false, warnings: [] }
}
