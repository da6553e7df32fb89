import { MerchantFact } from '@svc/contracts/admin/v1/merchant'
import { consumer } from '@svc/outbox'
import { rememberMerchant } from '../use-cases/remember-merchant.ts'

/** Keeps what dispatch must know of merchants: their settings, their names. */
export const onMerchantFact = consumer<MerchantFact, unknown>({
  topic: 'svc.admin.v1',
  types: ['merchant.created', 'merchant.updated'],
  name: 'merchant',
  message: MerchantFact,
  async handle({ message, aggregateVersion }, tx) {
    if (message.merchant) await rememberMerchant(tx, message.merchant, aggregateVersion)
  },
})
