import { TopupServiceService } from '@svc/contracts/wallet/v1/topup_service'
import { liveOnly, merchant, rpc, serving } from '@svc/grpc'
import type { Context } from '../context.ts'
import { createTopupIntent } from '../use-cases/topups/create-topup-intent.ts'

/** The rpcs of top-ups. */
export const topupService = serving<Context>()(TopupServiceService, {
  createTopupIntent: rpc({
    access: liveOnly(merchant('orders:write')),
    handle: async (ctx, by, { amount_minor: amountMinor, callback_url: callbackUrl, idempotency }) => {
      const intent = await createTopupIntent(ctx, by, { amountMinor, callbackUrl, idempotency })
      return {
        reference: intent.reference,
        authorization_url: intent.authorizationUrl,
        access_code: intent.accessCode,
        amount_minor: intent.amountMinor,
        currency: intent.currency,
        idempotent_replay: intent.isReplay,
      }
    },
  }),
})
