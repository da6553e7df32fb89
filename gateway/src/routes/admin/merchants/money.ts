import { paging, uuid } from '@svc/inputs'
import { admin, reply, viewedRoute } from '../../../http/route.ts'
import { commissionSettings, newCommissionSettings } from '../../../schemas/commission.ts'
import { adminStatement } from '../../../schemas/wallet.ts'
import { commissionView } from '../../../views/commission.ts'
import { statementView } from '../../../views/wallet.ts'

const tag = 'Money of all merchants'
const params = { merchantId: uuid }

export const adminMerchantMoney = [
  viewedRoute({
    method: 'GET',
    path: '/v1/admin/merchants/{merchantId}/ledger',
    operationId: 'adminGetWallet',
    tag,
    summary: "Read a merchant's live wallet and its entries, newest first",
    auth: admin('admin.ledger.read'),
    params,
    query: paging(),
    replies: { 200: adminStatement },
    errors: ['not_found'],
    async handle({ params: { merchantId: merchant_id }, query }, services) {
      const found = await services.wallet.getWallet({ merchant_id, ...query })
      return reply(200, { ...statementView(found, 'items'), merchant_id })
    },
  }),
  viewedRoute({
    method: 'GET',
    path: '/v1/admin/merchants/{merchantId}/commission',
    operationId: 'getCommissionSettings',
    tag,
    summary: "Read how a merchant's riders are paid",
    auth: admin('admin.merchants.read'),
    params,
    replies: { 200: commissionSettings },
    errors: ['not_found'],
    async handle({ params: { merchantId: merchant_id } }, services) {
      return reply(200, commissionView(merchant_id, await services.commission.getCommissionSettings({ merchant_id })))
    },
  }),
  viewedRoute({
    method: 'PUT',
    path: '/v1/admin/merchants/{merchantId}/commission',
    operationId: 'replaceCommissionSettings',
    tag,
    summary: "Replace how a merchant's riders are paid",
    description: "What is left out or null follows the operator's value.",
    auth: admin('admin.merchants.write'),
    params,
    body: newCommissionSettings,
    replies: { 200: commissionSettings },
    errors: ['not_found'],
    async handle({ params: { merchantId: merchant_id }, body }, services) {
      const rules = (body.rules ?? []).map(({ amount_minor, vehicle_type, source }) => ({
        amount_minor,
        vehicle_type: vehicle_type ?? undefined,
        source: source ?? undefined,
      }))
      const settings = {
        automation: body.automation ?? undefined,
        trigger_statuses: body.trigger_statuses ? { values: body.trigger_statuses } : undefined,
        merchant_debit: body.merchant_debit ?? undefined,
        require_payment_verified: body.require_payment_verified ?? undefined,
        rules,
      }
      const replaced = await services.commission.replaceCommissionSettings({ merchant_id, settings })
      return reply(200, commissionView(merchant_id, replaced))
    },
  }),
]
