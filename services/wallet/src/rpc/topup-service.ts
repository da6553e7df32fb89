import type { TopupServiceService } from '@svc/contracts/wallet/v1/topup_service'
import { type Handlers, requireMerchant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { requireAmountWithin } from '../domain/amount.ts'
import { callbackUrl } from '../domain/callback-url.ts'
import { createTopupIntent } from '../use-cases/topups/create-topup-intent.ts'
import { requireLive } from './require-live.ts'

/** The rpcs of top-ups. */
export function topupService(ctx: Context): Handlers<typeof TopupServiceService> {
  const { topupMinMinor: min, topupMaxMinor: max, nodeEnv } = ctx.config
  return {
    async createTopupIntent({ amount_minor, callback_url, idempotency }, call) {
      const tenant = requireMerchant(call, 'orders:write')
      requireLive(call)
      const intent = await createTopupIntent(ctx, tenant, call.caller, {
        amountMinor: requireAmountWithin('amount_minor', amount_minor, { min, max }),
        callbackUrl: callbackUrl(callback_url, { allowsLocal: nodeEnv !== 'production' }),
        idempotencyKey: idempotency?.key,
      })
      return {
        reference: intent.reference,
        authorization_url: intent.authorizationUrl,
        access_code: intent.accessCode,
        amount_minor: intent.amountMinor,
        currency: intent.currency,
        idempotent_replay: intent.isReplay,
      }
    },
  }
}
