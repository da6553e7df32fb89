import type { Transact, Tx } from '@svc/outbox'
import type { Realtime } from './realtime.ts'

/** Has the sockets hear of something once the transaction has committed; of one that does not they hear nothing. */
export type Announce = (tx: Tx, ...event: Parameters<Realtime['publish']>) => void

/** Transactions that keep what is announced in them until they have committed. */
export function announceAfterCommit(
  transact: Transact,
  realtime: Realtime,
): { transact: Transact; announce: Announce } {
  const waiting = new WeakMap<Tx, Array<() => void>>()
  return {
    async transact(scope, work) {
      const announcements: Array<() => void> = []
      const result = await transact(scope, (tx) => {
        waiting.set(tx, announcements)
        return work(tx)
      })
      for (const announce of announcements) announce()
      return result
    },
    announce(tx, event) {
      waiting.get(tx)!.push(() => realtime.publish(event))
    },
  }
}
