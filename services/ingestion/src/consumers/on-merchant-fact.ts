import { MerchantFact } from '@svc/contracts/admin/v1/merchant'
import { consumer } from '@svc/outbox'
import type { Context } from '../context.ts'
import { storeMerchant } from '../db/merchants.ts'

/** Learns which merchants there are. */
export const onMerchantFact = consumer<MerchantFact, Context>({
  topic: 'svc.admin.v1',
  types: ['merchant.created'],
  name: 'merchant',
  message: MerchantFact,
  handle: ({ aggregateId }, tx) => storeMerchant(tx, aggregateId),
})
