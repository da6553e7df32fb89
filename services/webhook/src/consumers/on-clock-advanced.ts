import { consumer } from '@svc/facts'
import type { Context } from '../context.ts'
import { keepAdvance } from '../db/sandbox-clock.ts'

/** Takes over that time passes for the deliveries of a merchant's sandbox: a worker carries it out, so that no fact waits. */
export const onClockAdvanced = consumer({
  name: 'clock-advanced',
  of: ['sandbox.clock_advanced'],
  // Nearly all that its group is sent are facts of orders, which it does not want.
  gatherMs: 250,
  async handle({ message: { seconds }, merchantId, aggregateVersion: version }, tx, { sandboxClock }: Context) {
    if (!merchantId) return
    await keepAdvance(tx, { merchantId, version, seconds })
    tx.afterCommit(sandboxClock.wake)
  },
})
