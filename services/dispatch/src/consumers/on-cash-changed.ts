import { consumer } from '@svc/facts'
import { storeBooked } from '../db/rider-cash.ts'

/** Keeps what riders have in hand of live cash, as the wallet books it. */
export const onCashChanged = consumer({
  name: 'cash-changed',
  of: ['wallet.cash_changed'],
  async handle({ message: { account }, aggregateVersion }, tx) {
    if (account && !account.is_test) await storeBooked(tx, account, aggregateVersion)
  },
})
