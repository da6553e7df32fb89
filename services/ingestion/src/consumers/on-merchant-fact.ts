import { consumer } from '@svc/facts'
import { storeMerchant } from '../db/merchants.ts'

/** Learns which merchants there are, and how their customers are answered. */
export const onMerchantFact = consumer({
  name: 'merchant',
  of: ['merchant.created', 'merchant.updated'],
  handle: ({ aggregateId, aggregateVersion: version, message: { merchant } }, tx) =>
    storeMerchant(tx, aggregateId, { ...merchant, version }),
})
