import { consumer } from '@svc/facts'
import { advanceDeliveries } from '../db/sandbox-clock.ts'

/** Lets time pass for the deliveries of a merchant's sandbox. */
export const onClockAdvanced = consumer({
  name: 'clock-advanced',
  of: ['sandbox.clock_advanced'],
  async handle({ message: { seconds }, merchantId }, tx) {
    if (merchantId) await advanceDeliveries(tx, merchantId, seconds)
  },
})
