import { MerchantServiceService } from '@svc/contracts/admin/v1/merchant_service'
import { anyone, either, merchant, operator, rpc, service, serving } from '@svc/grpc'
import { idField, pageFields, resourceId, uuid } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { KYB_STATUSES, MESSAGING_ENGINES } from '../domain/enumerations.ts'
import { apiKeyMessage } from '../messages/api-key.ts'
import { merchantMessage } from '../messages/merchant.ts'
import { userMessage } from '../messages/user.ts'
import { getAccount } from '../use-cases/accounts/get-account.ts'
import { signUpMerchant } from '../use-cases/accounts/sign-up-merchant.ts'
import { readKybFile } from '../use-cases/kyb/read-kyb-file.ts'
import { bulkUpdateMessagingEngine } from '../use-cases/merchants/bulk-update-messaging-engine.ts'
import { getMerchant } from '../use-cases/merchants/get-merchant.ts'
import { listMerchants } from '../use-cases/merchants/list-merchants.ts'
import { listUsers } from '../use-cases/merchants/list-users.ts'
import { pageMerchants } from '../use-cases/merchants/page-merchants.ts'
import { updateMerchant } from '../use-cases/merchants/update-merchant.ts'
import { merchantPatch } from './merchant-patch.ts'

const READ = operator('admin.merchants.read')
const WRITE = operator('admin.merchants.write')
const APPROVE = operator('admin.merchants.approve')

/** Merchants: their own sign-up and account, and what operators do with them. */
export const merchantService = serving<Context>()(MerchantServiceService, {
  signUpMerchant: rpc({
    access: anyone(),
    async handle(ctx, by, { business_name: businessName, ...owner }) {
      const signedUp = await signUpMerchant(ctx, by, { businessName, ...owner })
      return {
        merchant: merchantMessage(signedUp.merchant),
        key: apiKeyMessage(signedUp.key),
        api_key: signedUp.text,
        email_verification_required: ctx.config.emailVerificationRequired,
      }
    },
  }),

  getAccount: rpc({
    access: merchant(),
    async handle(ctx, by) {
      const account = await getAccount(ctx, by)
      return {
        merchant: merchantMessage(account.merchant),
        account_email: account.user?.email,
        email_verified: Boolean(account.user?.emailVerifiedAt),
      }
    },
  }),

  listMerchants: rpc({
    access: READ,
    input: z.object({ ...pageFields(500), q: z.string().optional(), kyb_status: z.enum(KYB_STATUSES).optional() }),
    async handle(ctx, by, { kyb_status: kybStatus, ...asked }) {
      const { merchants, total } = await listMerchants(ctx, by, { ...asked, kybStatus })
      return { items: merchants.map(merchantMessage), total, limit: asked.limit, offset: asked.offset }
    },
  }),

  getMerchant: rpc({
    // A change of a merchant's endpoint alone is answered with the merchant as it is.
    access: either(READ, WRITE, service('dispatch', 'ingestion', 'wallet')),
    async handle(ctx, by, { id, include_kyb_payload: includesFile }) {
      const merchant = await getMerchant(ctx, by, { id: resourceId(id) })
      return {
        merchant: merchantMessage(merchant),
        kyb_payload_json: includesFile ? await readKybFile(ctx, by, merchant.id) : undefined,
      }
    },
  }),

  updateMerchant: rpc({
    // Which of the two it takes, the patch decides.
    access: either(WRITE, APPROVE),
    input: merchantPatch,
    handle: async (ctx, by, { id, patch }) => ({
      merchant: merchantMessage(await updateMerchant(ctx, by, { id: resourceId(id), patch })),
    }),
  }),

  listUsers: rpc({
    access: READ,
    input: z.object({ ...pageFields(), merchant_id: idField }),
    async handle(ctx, by, { merchant_id: merchantId, ...page }) {
      const { users, total } = await listUsers(ctx, by, { ...page, merchantId })
      return { items: users.map(userMessage), total, ...page }
    },
  }),

  bulkUpdateMessagingEngine: rpc({
    access: operator('admin.system.write'),
    input: z.object({ messaging_engine: z.enum(MESSAGING_ENGINES) }),
    handle: async (ctx, by, { messaging_engine: messagingEngine }) => ({
      updated: await bulkUpdateMessagingEngine(ctx, by, { messagingEngine }),
    }),
  }),

  pageMerchants: rpc({
    access: service('dispatch', 'ingestion', 'wallet', 'webhook'),
    input: z.object({ after: uuid.optional(), limit: z.number().int().min(1).max(500) }),
    handle: async (ctx, by, page) => ({ items: (await pageMerchants(ctx, by, page)).map(merchantMessage) }),
  }),
})
