import { consumer } from '@svc/facts'
import { rememberMerchant } from '../use-cases/remember-merchant.ts'

/** Keeps what dispatch must know of merchants: their settings, their names. */
export const onMerchantFact = consumer({
  name: 'merchant',
  of: ['merchant.created', 'merchant.updated'],
  async handle({ message, aggregateVersion }, tx) {
    if (message.merchant) await rememberMerchant(tx, message.merchant, aggregateVersion)
  },
})
