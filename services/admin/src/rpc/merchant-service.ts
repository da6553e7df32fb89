import type { MerchantServiceService } from '@svc/contracts/admin/v1/merchant_service'
import { type Handlers, requireAdmin, requireMerchant } from '@svc/grpc'
import { pageOf } from '@svc/inputs'
import type { Context } from '../context.ts'
import { apiKeyMessage } from '../messages/api-key.ts'
import { merchantMessage } from '../messages/merchant.ts'
import { merchantPatch } from '../messages/merchant-patch.ts'
import { getAccount } from '../use-cases/accounts/get-account.ts'
import { signUpMerchant } from '../use-cases/accounts/sign-up-merchant.ts'
import { getMerchant } from '../use-cases/merchants/get-merchant.ts'
import { listMerchants } from '../use-cases/merchants/list-merchants.ts'
import { updateMerchant } from '../use-cases/merchants/update-merchant.ts'
import { permissionsFor } from './permissions-for.ts'

const MAX_MERCHANTS = 500

/** Merchants over gRPC: their own sign-up and account, and what operators do with them. */
export function merchantService(ctx: Context): Handlers<MerchantServiceService> {
  return {
    async signUpMerchant({ business_name, email, password, phone }, { caller }) {
      const input = { businessName: business_name, email, password, phone }
      const { merchant, key, text } = await signUpMerchant(ctx, caller, input)
      return {
        merchant: merchantMessage(merchant),
        key: apiKeyMessage(key),
        api_key: text,
        email_verification_required: ctx.config.emailVerificationRequired,
      }
    },
    async getAccount(_request, call) {
      const { merchant, user } = await getAccount(ctx, requireMerchant(call), call.caller)
      return {
        merchant: merchantMessage(merchant),
        account_email: user?.email,
        email_verified: Boolean(user?.emailVerifiedAt),
      }
    },
    async listMerchants({ q, kyb_status, ...asked }, call) {
      requireAdmin(call, 'admin.merchants.read')
      const page = pageOf(asked, MAX_MERCHANTS)
      const { merchants, total } = await listMerchants(ctx, { ...page, q, kybStatus: kyb_status })
      return { items: merchants.map(merchantMessage), total, ...page }
    },
    async getMerchant({ id }, call) {
      requireAdmin(call, 'admin.merchants.read')
      // Verification papers are not taken in yet: there is no payload to include.
      return { merchant: merchantMessage(await getMerchant(ctx, id)), kyb_payload_json: undefined }
    },
    async updateMerchant(request, call) {
      const caller = requireAdmin(call)
      for (const permission of permissionsFor(request)) requireAdmin(call, permission)
      return { merchant: merchantMessage(await updateMerchant(ctx, caller, request.id, merchantPatch(request))) }
    },
  }
}
