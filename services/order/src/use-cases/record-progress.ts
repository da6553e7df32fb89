import { validationError } from '@svc/errors'
import { progress } from '../acts/progress.ts'
import type { Context } from '../context.ts'
import { PROGRESS_KINDS, type Progress } from '../domain/progress.ts'
import { actOnOrder } from '../settlement/act-on-order.ts'

export interface ProgressInput extends Omit<Progress, 'kind'> {
  orderId: string
  opKey: string
  kind: string
}

/** Records what positions or timers show of an order, once per key; false when it no longer applied. */
export async function recordProgress(
  ctx: Context,
  { orderId, opKey, kind, riderId, eta }: ProgressInput,
): Promise<boolean> {
  return actOnOrder(ctx, progress, { orderId, opKey, report: { kind: knownKind(kind), riderId, eta } })
}

function knownKind(kind: string): Progress['kind'] {
  const known = PROGRESS_KINDS.find((name) => name === kind)
  if (known) return known
  const message = `progress must be one of ${PROGRESS_KINDS.join(', ')}.`
  throw validationError([{ field: 'progress', rule: 'enum', message, allowed: PROGRESS_KINDS }])
}
