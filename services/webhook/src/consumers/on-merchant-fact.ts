import { MerchantFact } from '@svc/contracts/admin/v1/merchant'
import { consumer } from '@svc/outbox'
import type { Context } from '../context.ts'
import { storeMerchant } from '../db/merchants.ts'

/** Keeps the owner's address, to which alerts go. */
export const onMerchantFact = consumer<MerchantFact, Context>({
  topic: 'svc.admin.v1',
  types: ['merchant.created', 'merchant.updated'],
  name: 'merchant',
  message: MerchantFact,
  async handle({ message, aggregateVersion }, tx) {
    if (message.merchant) await storeMerchant(tx, message.merchant, aggregateVersion)
  },
})
