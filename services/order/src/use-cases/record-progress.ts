import { validationError } from '@svc/errors'
import type { Context } from '../context.ts'
import { lockOrder } from '../db/orders.ts'
import { PROGRESS_KINDS, type Progress } from '../domain/progress.ts'
import { announce } from './announce.ts'
import { once } from './once.ts'

export interface ProgressInput extends Omit<Progress, 'kind'> {
  orderId: string
  opKey: string
  kind: string
}

/** Records what positions or timers show of an order, once per key; false when it no longer applied. */
export async function recordProgress(ctx: Context, input: ProgressInput): Promise<boolean> {
  const progress = { kind: knownKind(input.kind), riderId: input.riderId, eta: input.eta }
  return ctx.transact('every tenant', async (tx) => {
    const order = await lockOrder(tx.em, 'every tenant', input.orderId)
    const report = async () => {
      const announcements = order.report(progress, tx.now)
      if (announcements) await announce(ctx, tx, order, announcements)
      return { applied: announcements !== null, told: (announcements?.length ?? 0) > 0 }
    }
    // An estimate that nobody is told of comes every minute, and does the same however often it comes.
    const isWorthKeeping = ({ told }: { told: boolean }) => told || progress.kind !== 'eta'
    const op = { kind: 'progress', key: input.opKey } as const
    return (await once(tx, order, op, report, isWorthKeeping)).applied
  })
}

function knownKind(kind: string): Progress['kind'] {
  const known = PROGRESS_KINDS.find((name) => name === kind)
  if (known) return known
  const message = `progress must be one of ${PROGRESS_KINDS.join(', ')}.`
  throw validationError([{ field: 'progress', rule: 'enum', message, allowed: PROGRESS_KINDS }])
}
