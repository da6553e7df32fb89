import { consumer } from '@svc/facts'
import { advanceSandbox } from '../use-cases/advance-sandbox.ts'

/** Lets time pass for the test orders of a merchant. */
export const onClockAdvanced = consumer({
  name: 'clock-advanced',
  of: ['sandbox.clock_advanced'],
  async handle({ message: { seconds }, merchantId, time }, tx) {
    if (merchantId) await advanceSandbox(tx, { merchantId, at: time, seconds })
  },
})
