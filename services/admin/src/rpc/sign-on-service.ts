import { SignOnServiceService } from '@svc/contracts/admin/v1/sign_on_service'
import { publicly, rpc, serving } from '@svc/grpc'
import type { Context } from '../context.ts'
import { adminTokenMessage } from '../messages/operator.ts'
import { attemptMessage, callbackOf } from '../messages/sign-on.ts'
import { tokenPairMessage } from '../messages/token-pair.ts'
import { beginMerchantSignOn } from '../use-cases/single-sign-on/begin-merchant-sign-on.ts'
import { beginOperatorSignOn } from '../use-cases/single-sign-on/begin-operator-sign-on.ts'
import { completeMerchantSignOn } from '../use-cases/single-sign-on/complete-merchant-sign-on.ts'
import { completeOperatorSignOn } from '../use-cases/single-sign-on/complete-operator-sign-on.ts'
import { getMerchantSignOn } from '../use-cases/single-sign-on/get-merchant-sign-on.ts'

/** Log-ins at an identity provider. */
export const signOnService = serving<Context>()(SignOnServiceService, {
  getMerchantSignOn: rpc({
    access: publicly(),
    handle: async (ctx) => getMerchantSignOn(ctx),
  }),

  beginMerchantSignOn: rpc({
    access: publicly(),
    handle: async (ctx) => ({ attempt: attemptMessage(await beginMerchantSignOn(ctx)) }),
  }),

  completeMerchantSignOn: rpc({
    access: publicly(),
    async handle(ctx, by, { callback }) {
      const { tokens, successUrl } = await completeMerchantSignOn(ctx, by, callbackOf(callback))
      return { tokens: tokenPairMessage(tokens), success_url: successUrl }
    },
  }),

  beginOperatorSignOn: rpc({
    access: publicly(),
    handle: async (ctx) => ({ attempt: attemptMessage(await beginOperatorSignOn(ctx)) }),
  }),

  completeOperatorSignOn: rpc({
    access: publicly(),
    async handle(ctx, by, { callback }) {
      const { token, successUrl } = await completeOperatorSignOn(ctx, by, callbackOf(callback))
      return { token: adminTokenMessage(token), success_url: successUrl }
    },
  }),
})
