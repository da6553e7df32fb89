import { consumer } from '@svc/facts'
import { isSignedBy } from '@svc/payments'
import { providerKeys } from '../config.ts'
import type { Context } from '../context.ts'
import { takeHook } from '../use-cases/hooks/take-hook.ts'

/** Lets hooks of the payment provider take effect. Who wrote the fact proves nothing: the provider's signature does. */
export const onHookReceived = consumer({
  name: 'payment-hook',
  of: ['ingestion.hook_received'],
  gatherMs: 100,
  async handle({ message, aggregateVersion: version, time }, tx, ctx: Context) {
    if (message.channel !== 'payments-a') return
    const body = Buffer.from(message.body)
    await takeHook(ctx, tx, {
      hookId: message.hook_id,
      version,
      merchantId: message.merchant_id ?? null,
      signedByPlatform: isSignedBy(providerKeys(ctx.config), body, message.signature ?? ''),
      body,
      receivedAt: message.received_at ? new Date(message.received_at) : time,
    })
    ctx.failpoint('hook.judged')
  },
})
