import { uuid } from '@svc/inputs'
import { commissionOf, commissionSettings, newCommissionSettings } from '../../../bodies/commission.ts'
import { admin, reply, route } from '../../../http/route.ts'

const tag = 'Money of all merchants'
const params = { merchantId: uuid }

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/merchants/{merchantId}/commission',
    operationId: 'getCommissionSettings',
    tag,
    summary: "Read how a merchant's riders are paid",
    description:
      'The settings of its own, null where it follows the operator, and in `effective` what holds. 404 for an unknown merchant.',
    auth: admin('admin.merchants.read'),
    params,
    replies: { 200: commissionSettings },
    errors: ['not_found'],
    async handle({ params: { merchantId: merchant_id } }, services) {
      return reply(200, commissionOf(merchant_id, await services.commission.getCommissionSettings({ merchant_id })))
    },
  }),
  route({
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
      const trigger_statuses = body.trigger_statuses ? { values: body.trigger_statuses } : undefined
      const settings = { ...body, trigger_statuses, rules: body.rules ?? [] }
      const replaced = await services.commission.replaceCommissionSettings({ merchant_id, settings })
      return reply(200, commissionOf(merchant_id, replaced))
    },
  }),
]
