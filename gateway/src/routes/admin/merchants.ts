import { ServiceError } from '@svc/errors'
import * as z from 'zod'
import { admin, reply, route } from '../../http/route.ts'
import {
  APPROVAL_STATUSES,
  BILLING_STATUSES,
  DISPATCH_MODES,
  FULFILLMENT_MODES,
  KYB_STATUSES,
  MERCHANT_TIERS,
  MESSAGING_ENGINES,
  merchantRecord,
} from '../../schemas/merchant.ts'
import { atLeastOne, booleanWord, nulls, page, paging, text, timestamp, uuid } from '../../schemas/pieces.ts'
import { kybPayloadView, merchantView } from '../../views/merchant.ts'
import { present } from '../../views/or-null.ts'

const tag = 'Merchants'

const updateBody = atLeastOne(
  z.strictObject({
    merchant_tier: z.enum(MERCHANT_TIERS).optional(),
    billing_status: z.enum(BILLING_STATUSES).optional(),
    billing_period_end: timestamp.nullable().optional(),
    auto_dispatch_enabled: z.boolean().optional(),
    kyb_status: z.enum(KYB_STATUSES).optional(),
    kyb_notes: text(4000, 0).nullable().optional(),
    kyb_reference: text(200, 0).nullable().optional(),
    business_approval_status: z.enum(APPROVAL_STATUSES).optional(),
    dispatch_mode: z.enum(DISPATCH_MODES).optional(),
    dispatch_batch_size: z.int().min(1).max(50).optional(),
    fulfillment_mode: z.enum(FULFILLMENT_MODES).optional(),
    messaging_engine: z.enum(MESSAGING_ENGINES).optional(),
    outbound_webhook_url: text(2048).nullable().optional(),
    outbound_webhook_secret: text(256, 16).nullable().optional(),
    outbound_webhook_enabled: z.boolean().optional(),
  }),
)

export const adminMerchants = [
  route({
    method: 'GET',
    path: '/v1/admin/merchants',
    operationId: 'listMerchants',
    tag,
    summary: 'List merchants',
    auth: admin('admin.merchants.read'),
    query: {
      ...paging(500),
      q: text(128, 0).optional().meta({ description: 'Part of the name' }),
      kyb_status: text(32, 0).optional(),
    },
    replies: { 200: page('items', merchantRecord) },
    errors: [],
    async handle({ query }, services) {
      const { items, total, limit, offset } = await services.merchant.listMerchants(query)
      const endpoints = await Promise.all(
        items.map(({ id }) => services.outboundWebhook.getOutboundWebhook({ merchant_id: id })),
      )
      const rows = items.map((merchant, i) => merchantView(merchant, present(endpoints[i]?.webhook)))
      return reply(200, { items: rows, total, limit, offset })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/admin/merchants/{merchantId}',
    operationId: 'getMerchant',
    tag,
    summary: 'Read a merchant',
    auth: admin('admin.merchants.read'),
    params: { merchantId: uuid },
    query: { include_kyb_payload: booleanWord.optional() },
    replies: { 200: z.strictObject({ merchant: merchantRecord }) },
    errors: ['not_found'],
    async handle({ params, query }, services) {
      const include_kyb_payload = query.include_kyb_payload ?? false
      const [found, endpoint] = await Promise.all([
        services.merchant.getMerchant({ id: params.merchantId, include_kyb_payload }),
        services.outboundWebhook.getOutboundWebhook({ merchant_id: params.merchantId }),
      ])
      const kyb = include_kyb_payload ? { kyb_payload: kybPayloadView(found.kyb_payload_json) } : {}
      return reply(200, { merchant: { ...merchantView(present(found.merchant), present(endpoint.webhook)), ...kyb } })
    },
  }),
  route({
    method: 'PATCH',
    path: '/v1/admin/merchants/{merchantId}',
    operationId: 'updateMerchant',
    tag,
    summary: 'Change a merchant',
    description: 'business_approval_status needs admin.merchants.approve as well.',
    auth: admin('admin.merchants.write'),
    params: { merchantId: uuid },
    body: updateBody,
    replies: { 200: z.strictObject({ merchant: merchantRecord }) },
    errors: ['not_found', 'invalid_webhook_url', 'invalid_transition'],
    async handle({ params, body, caller }, services) {
      const {
        outbound_webhook_url: url,
        outbound_webhook_secret: secret,
        outbound_webhook_enabled: enabled,
        ...fields
      } = body
      const approve = 'admin.merchants.approve'
      if (fields.business_approval_status !== undefined && !caller.permissions?.includes(approve)) {
        throw new ServiceError('forbidden', { details: { required: [approve] } })
      }
      const id = params.merchantId
      let { merchant } = await services.merchant.getMerchant({ id, include_kyb_payload: false })
      const endpoint = { url, secret, enabled }
      const { webhook } = Object.values(endpoint).some((value) => value !== undefined)
        ? await services.outboundWebhook.updateOutboundWebhook({
            merchant_id: id,
            url: url ?? undefined,
            secret: secret ?? undefined,
            enabled,
            events: undefined,
            clear_fields: nulls(endpoint),
          })
        : await services.outboundWebhook.getOutboundWebhook({ merchant_id: id })
      if (Object.values(fields).some((value) => value !== undefined)) {
        const { billing_period_end, kyb_notes, kyb_reference, ...plain } = fields
        const updated = await services.merchant.updateMerchant({
          id,
          ...plain,
          billing_period_end: billing_period_end ?? undefined,
          kyb_notes: kyb_notes ?? undefined,
          kyb_reference: kyb_reference ?? undefined,
          clear_fields: nulls(fields),
        })
        merchant = updated.merchant
      }
      return reply(200, { merchant: merchantView(present(merchant), present(webhook)) })
    },
  }),
]
