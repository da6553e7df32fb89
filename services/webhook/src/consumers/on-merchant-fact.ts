import { consumer } from '@svc/facts'
import { storeMerchant } from '../db/merchants.ts'

/** Keeps the owner's address, to which alerts go. */
export const onMerchantFact = consumer({
  name: 'merchant',
  of: ['merchant.created', 'merchant.updated'],
  async handle({ message, aggregateVersion }, tx) {
    if (message.merchant) await storeMerchant(tx, message.merchant, aggregateVersion)
  },
})
