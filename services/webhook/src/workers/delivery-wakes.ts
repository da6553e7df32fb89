import { type Database, wakeChannel } from '@svc/database'
import { repeatedly, type Worker } from '@svc/lifecycle'

const LISTEN_CHECK_MS = 5_000

/** Wakes the delivery workers after a commit: this process's at once, those of other replicas by a notification. */
export function deliveryWakes({ worker }: Database, wakeOwn: () => void): Worker {
  const channel = wakeChannel(worker, 'webhook_delivery', wakeOwn)
  const listening = repeatedly({ name: 'delivery-wakes', everyMs: LISTEN_CHECK_MS, work: channel.listen })
  return {
    ...listening,
    wake() {
      wakeOwn()
      channel.notify()
    },
    async stop() {
      await listening.stop()
      channel.close()
    },
  }
}
