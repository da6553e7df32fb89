import type { RecordProgressRequest } from '@svc/contracts/order/v1/fulfilment_service'
import { systemCaller } from '@svc/grpc'
import type { Intent } from '@svc/outbox'
import type { Context } from '../../context.ts'

const DEADLINE_MS = 5_000

/** Tells the order, once however often it is repeated; the order drops what no longer applies. */
export async function recordProgress(ctx: Pick<Context, 'fulfilment'>, { id, payload }: Intent): Promise<object> {
  const order = ctx.fulfilment.as(systemCaller('dispatch', id), { deadlineMs: DEADLINE_MS })
  return order.recordProgress(payload as RecordProgressRequest)
}
