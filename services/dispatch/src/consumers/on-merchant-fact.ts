import { consumer } from '@svc/facts'
import type { Context } from '../context.ts'
import { rememberMerchant } from '../use-cases/remember-merchant.ts'

/** Keeps what dispatch must know of merchants: their settings, their names. */
export const onMerchantFact = consumer({
  name: 'merchant',
  of: ['merchant.created', 'merchant.updated'],
  async handle({ message, aggregateVersion }, tx, ctx: Pick<Context, 'dispatcher'>) {
    if (message.merchant) await rememberMerchant(tx, message.merchant, aggregateVersion)
    tx.afterCommit(ctx.dispatcher.wake)
  },
})
