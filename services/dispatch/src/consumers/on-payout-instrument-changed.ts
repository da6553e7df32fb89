import { consumer } from '@svc/facts'
import { findRider } from '../db/riders.ts'
import { openNotice } from '../use-cases/riders/send-rider-notice.ts'

/** Tells riders that they are paid elsewhere. */
export const onPayoutInstrumentChanged = consumer({
  name: 'payout-instrument',
  of: ['payout_instrument.changed'],
  async handle({ message: { owner_type, owner_id, account_last4: last4 } }, tx) {
    const rider = owner_type === 'rider' ? await findRider(tx, owner_id) : null
    if (rider) await openNotice(tx, rider, { about: 'payout_changed', last4 })
  },
})
