import { consumer } from '@svc/facts'
import { storeMerchant } from '../db/merchants.ts'

/** Learns which merchants there are. */
export const onMerchantFact = consumer({
  name: 'merchant',
  of: ['merchant.created', 'merchant.updated'],
  handle: ({ aggregateId }, tx) => storeMerchant(tx, aggregateId),
})
