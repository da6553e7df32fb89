import { HookFact } from '@svc/contracts/ingestion/v1/hook'
import { consumer } from '@svc/outbox'
import type { Context } from '../context.ts'
import { settleHook } from '../use-cases/hooks/settle-hook.ts'

/** Lets hooks of the payment provider take effect. */
export const onHookReceived = consumer<HookFact, Context>({
  topic: 'svc.ingestion.v1',
  types: ['ingestion.hook_received'],
  name: 'payment hook',
  message: HookFact,
  async handle({ message, aggregateVersion: version }, tx, ctx) {
    if (message.channel !== 'payments-a') return
    await settleHook(ctx, tx, {
      hookId: message.hook_id,
      version,
      merchantId: message.merchant_id ?? null,
      signedByPlatform: message.signed_by_platform,
      body: Buffer.from(message.body),
    })
    ctx.failpoint('hook.judged')
  },
})
