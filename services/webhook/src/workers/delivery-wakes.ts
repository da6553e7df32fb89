import { type Database, wakeChannel } from '@svc/database'
import { repeatedly, type Worker } from '@svc/lifecycle'

const LISTEN_CHECK_MS = 5_000

/** Delivery workers that are woken together: this process's at once, those of other replicas by a notification. */
export function deliveryWakes({ worker }: Database, own: Worker): Worker {
  const channel = wakeChannel(worker, 'webhook_delivery', own.wake)
  const listening = repeatedly({ name: 'delivery-wakes', everyMs: LISTEN_CHECK_MS, work: channel.listen })
  return {
    name: own.name,
    wake() {
      own.wake()
      channel.notify()
    },
    async start() {
      await own.start()
      await listening.start()
    },
    async stop() {
      await listening.stop()
      channel.close()
      await own.stop()
    },
  }
}
