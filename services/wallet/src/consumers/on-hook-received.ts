import { consumer } from '@svc/facts'
import type { Context } from '../context.ts'
import { takeHook } from '../use-cases/hooks/take-hook.ts'

/** Lets hooks of the payment provider take effect. */
export const onHookReceived = consumer({
  name: 'payment-hook',
  of: ['ingestion.hook_received'],
  async handle({ message, aggregateVersion: version }, tx, ctx: Context) {
    if (message.channel !== 'payments-a') return
    await takeHook(ctx, tx, {
      hookId: message.hook_id,
      version,
      merchantId: message.merchant_id ?? null,
      signedByPlatform: message.signed_by_platform,
      body: Buffer.from(message.body),
    })
    ctx.failpoint('hook.judged')
  },
})
