import { MerchantFact } from '@svc/contracts/admin/v1/merchant'
import { consumer } from '@svc/outbox'
import type { Context } from '../context.ts'
import { rememberMerchant } from '../use-cases/remember-merchant.ts'

/** Opens the wallets of a merchant, and keeps what its money depends on: currency, tier, billing. */
export const onMerchantFact = consumer<MerchantFact, Context>({
  topic: 'svc.admin.v1',
  types: ['merchant.created', 'merchant.updated'],
  name: 'merchant',
  message: MerchantFact,
  async handle({ message, aggregateVersion }, tx, ctx) {
    if (message.merchant) await rememberMerchant(ctx, tx, message.merchant, aggregateVersion)
  },
})
