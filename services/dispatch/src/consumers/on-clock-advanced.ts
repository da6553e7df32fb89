import { consumer } from '@svc/facts'
import type { Context } from '../context.ts'
import { keepAdvance } from '../db/sandbox-clock.ts'

/** Takes over that time passes for the test orders of a merchant: a worker carries it out, so that no fact waits for it. */
export const onClockAdvanced = consumer({
  name: 'clock-advanced',
  of: ['sandbox.clock_advanced'],
  async handle(
    { message: { seconds }, merchantId, aggregateVersion: version, time },
    tx,
    ctx: Pick<Context, 'dispatcher'>,
  ) {
    if (!merchantId) return
    await keepAdvance(tx, { merchantId, version, at: time, seconds })
    tx.afterCommit(ctx.dispatcher.wake)
  },
})
