import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { lockOrder } from '../db/orders.ts'
import type { Progress } from '../domain/progress.ts'
import { announce } from './announce.ts'
import type { Change } from './change.ts'
import { makeChange } from './make-change.ts'
import { once } from './once.ts'

interface SeenProgress {
  orderId: string
  opKey: string
  report: Progress
}

/** Records what positions or timers show of an order, once per key; false when it no longer applied. */
export async function recordProgress(ctx: Context, _by: By, input: SeenProgress): Promise<boolean> {
  return makeChange(ctx, progress, input)
}

export const progress: Change<SeenProgress, boolean> = {
  kind: 'progress',
  scope: () => 'every tenant',
  sameAs: ({ report }) => `progress:${report.kind}`,
  isHarmless: ({ report }) => report.kind !== 'departed',
  lock: (tx, { orderId }) => lockOrder(tx.em, 'every tenant', orderId),
  async apply({ ctx, tx, order, isSettled }, { opKey, report }) {
    const work = async () => {
      const announcements = order.report(report, tx.now)
      if (announcements) await announce(ctx, tx, order, announcements)
      return { applied: announcements !== null, told: (announcements?.length ?? 0) > 0 }
    }
    // An estimate that merchants are not told comes every minute, and does the same however often it comes.
    const isWorthKeeping = ({ told }: { told: boolean }) => told || report.kind !== 'eta'
    return (await once(tx, order, { kind: 'progress', key: opKey }, work, { isSettled, isWorthKeeping })).applied
  },
  /** No call waits for it, and what was seen once is not tried again: the rider's next report goes on from here. */
  async whenDeclined({ tx, order, isSettled }, { opKey }) {
    const work = async () => ({ applied: false, told: false })
    await once(tx, order, { kind: 'progress', key: opKey }, work, { isSettled })
  },
}
