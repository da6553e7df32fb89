import { randomUUID } from 'node:crypto'
import { type FieldFault, ServiceError, validationError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { riderStatus } from '../acts/rider-status.ts'
import type { Context } from '../context.ts'
import type { Order } from '../domain/order.ts'
import { FAILED_STATUSES, RIDER_STATUSES } from '../domain/rider-status.ts'
import { actOnOrder } from '../settlement/act-on-order.ts'
import { riderScope } from './rider-reach.ts'

export interface RiderStatusInput {
  status: string
  reason: string | null
  photoStorageKey: string | null
  /** Makes repeats of one act from an app that was offline one act. */
  clientEventId: string | null
  /** Where and when the rider says it happened. */
  point: { lat: number; lng: number } | null
  occurredAt: string | null
}

/**
 * The calling rider's own progress with an order, strictly in sequence and once per client_event_id. The status that the
 * order has already changes nothing.
 */
export async function updateRiderOrderStatus(
  ctx: Context,
  caller: Caller,
  orderId: string,
  input: RiderStatusInput,
): Promise<Order> {
  checkInput(input)
  const scope = riderScope(caller)
  if (!scope) throw new ServiceError('not_found')
  const { status, reason, photoStorageKey, clientEventId, point, occurredAt } = input
  return actOnOrder(ctx, riderStatus, {
    orderId,
    scope,
    rider: { actor: caller.actor, isTest: caller.isTest },
    key: `rider:${caller.actor.id}:${clientEventId ?? randomUUID()}`,
    report: { status, reason, photoStorageKey },
    point,
    occurredAt,
  })
}

function checkInput({ status, reason, photoStorageKey, clientEventId }: RiderStatusInput): void {
  const faults: FieldFault[] = []
  if (!RIDER_STATUSES.includes(status)) {
    const message = `status must be one of ${RIDER_STATUSES.join(', ')}.`
    faults.push({ field: 'status', rule: 'enum', message, allowed: RIDER_STATUSES })
  }
  if (FAILED_STATUSES.has(status) && !reason?.trim()) {
    faults.push({ field: 'reason', rule: 'required', message: `reason is required with ${status}.` })
  }
  const lengths = {
    reason: [reason, 512],
    photo_storage_key: [photoStorageKey, 512],
    client_event_id: [clientEventId, 128],
  }
  for (const [field, [text, limit]] of Object.entries(lengths) as Array<[string, [string | null, number]]>) {
    if (text === null || text.length <= limit) continue
    faults.push({ field, rule: 'length', message: `${field} may have ${limit} characters.`, limit })
  }
  const [first, ...rest] = faults
  if (first) throw validationError([first, ...rest])
}
