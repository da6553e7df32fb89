import { randomUUID } from 'node:crypto'
import type { RecordProgressRequest } from '@svc/contracts/order/v1/fulfilment_service'
import type { Eta } from '@svc/contracts/order/v1/order'
import { systemCaller } from '@svc/grpc'
import { type Intent, openIntent } from '@svc/intents'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import type { Job } from '../../domain/job.ts'

const DEADLINE_MS = 5_000

export const PROGRESS = ['departed', 'arrived_pickup', 'arrived_dropoff', 'delayed', 'exhausted', 'eta'] as const
export type Progress = (typeof PROGRESS)[number]

/** The kind of the intents that record it. */
export const intentKind = (progress: Progress): string => `progress.${progress}`

/** Records that the order is to hear of the progress of its rider, or of the search for one. The job is locked. */
export async function openProgress(tx: Tx, job: Job, progress: Progress, eta?: Eta): Promise<void> {
  const payload: RecordProgressRequest = {
    order_id: job.orderId,
    op_key: `${progress}:${randomUUID()}`,
    progress,
    rider_id: job.riderId ?? undefined,
    eta,
  }
  await openIntent(tx, { kind: intentKind(progress), subjectId: job.orderId, merchantId: job.merchantId, payload })
}

/** Tells the order, once however often it is repeated; the order drops what no longer applies. */
export async function recordProgress(ctx: Pick<Context, 'fulfilment'>, { id, payload }: Intent): Promise<object> {
  const order = ctx.fulfilment.as(systemCaller('dispatch', id), { deadlineMs: DEADLINE_MS })
  return order.recordProgress(payload as RecordProgressRequest)
}
