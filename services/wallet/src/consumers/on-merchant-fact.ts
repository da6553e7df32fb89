import { consumer } from '@svc/facts'
import type { Context } from '../context.ts'
import { rememberMerchant } from '../use-cases/remember-merchant.ts'

/** Opens the wallets of a merchant, and keeps what its money depends on: currency, tier, billing. */
export const onMerchantFact = consumer({
  name: 'merchant',
  of: ['merchant.created', 'merchant.updated'],
  gatherMs: 100,
  async handle({ message, aggregateVersion }, tx, ctx: Context) {
    if (message.merchant) await rememberMerchant(ctx, tx, message.merchant, aggregateVersion)
  },
})
