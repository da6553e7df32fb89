import { lockOrder } from '../db/orders.ts'
import type { Progress as Report } from '../domain/progress.ts'
import { announce } from '../use-cases/announce.ts'
import { once } from '../use-cases/once.ts'
import type { Act } from './act.ts'

export interface Progress {
  orderId: string
  opKey: string
  report: Report
}

/** What positions or timers show of an order; false when it no longer applied. */
export const progress: Act<Progress, boolean> = {
  kind: 'progress',
  scope: () => 'every tenant',
  aim: ({ report }) => `progress:${report.kind}`,
  isHarmless: ({ report }) => report.kind !== 'departed',
  find: (tx, { orderId }) => lockOrder(tx.em, 'every tenant', orderId),
  async perform({ ctx, tx, order, isSettled }, { opKey, report }) {
    const work = async () => {
      const announcements = order.report(report, tx.now)
      if (announcements) await announce(ctx, tx, order, announcements)
      return { applied: announcements !== null, told: (announcements?.length ?? 0) > 0 }
    }
    // An estimate that nobody is told of comes every minute, and does the same however often it comes.
    const isWorthKeeping = ({ told }: { told: boolean }) => told || report.kind !== 'eta'
    return (await once(tx, order, { kind: 'progress', key: opKey }, work, { isSettled, isWorthKeeping })).applied
  },
  /** Nobody waits for it: what was seen once is not tried again by itself. The rider's next report goes on from here. */
  async decline({ tx, order, isSettled }, { opKey }) {
    const work = async () => ({ applied: false, told: false })
    await once(tx, order, { kind: 'progress', key: opKey }, work, { isSettled })
  },
}
