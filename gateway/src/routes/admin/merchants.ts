import type { OutboundWebhook } from '@svc/contracts/webhook/v1/outbound_webhook_service'
import { ServiceError } from '@svc/errors'
import { amountMinor, atLeastOne, booleanWord, paging, text, timestamp, uuid } from '@svc/inputs'
import { page, required } from '@svc/public-bodies'
import * as z from 'zod'
import {
  APPROVAL_STATUSES,
  BILLING_STATUSES,
  DISPATCH_MODES,
  FULFILLMENT_MODES,
  KYB_STATUSES,
  MERCHANT_TIERS,
  MESSAGING_ENGINES,
  merchantOf,
  merchantRecord,
} from '../../bodies/merchant.ts'
import { nulls, withoutNulls } from '../../bodies/pieces.ts'
import { respell } from '../../http/respell.ts'
import { admin, reply, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'

const tag = 'Merchants'

const APPROVE = 'admin.merchants.approve'
const MAX_ALLOWANCE = 2 ** 31 - 1

const updateBody = atLeastOne(
  z.strictObject({
    merchant_tier: z.enum(MERCHANT_TIERS).optional(),
    billing_status: z.enum(BILLING_STATUSES).optional(),
    billing_period_end: timestamp.nullable().optional(),
    billing_included_allowance: z.int().min(0).max(MAX_ALLOWANCE).nullable().optional(),
    billing_overage_fee_minor: amountMinor.nullable().optional(),
    auto_dispatch_enabled: z.boolean().optional(),
    kyb_status: z.enum(KYB_STATUSES).optional(),
    kyb_notes: text(4000, 0).nullable().optional(),
    kyb_reference: text(200, 0).nullable().optional(),
    business_approval_status: z.enum(APPROVAL_STATUSES).optional(),
    dispatch_mode: z.enum(DISPATCH_MODES).optional(),
    dispatch_batch_size: z.int().min(1).max(50).optional(),
    fulfillment_mode: z.enum(FULFILLMENT_MODES).optional(),
    messaging_engine: z.enum(MESSAGING_ENGINES).optional(),
    outbound_webhook_url: z.string().nullable().optional(),
    outbound_webhook_secret: text(256, 16).nullable().optional(),
    outbound_webhook_enabled: z.boolean().optional(),
  }),
)

const isEmpty = (fields: object) => Object.values(fields).every((field) => field === undefined)

interface EndpointChange {
  url: string | null | undefined
  secret: string | null | undefined
  enabled: boolean | undefined
}

/** Changes what is set of the endpoint, or only reads it; faults are named as this route's body names the fields. */
async function changeEndpoint(
  { outboundWebhook }: Services,
  merchant_id: string,
  change: EndpointChange,
): Promise<{ webhook?: OutboundWebhook | undefined; generated_secret?: string | undefined }> {
  if (isEmpty(change)) return outboundWebhook.getOutboundWebhook({ merchant_id })
  const changing = outboundWebhook.updateOutboundWebhook({
    merchant_id,
    ...withoutNulls(change),
    events: undefined,
    clear_fields: nulls(change),
  })
  return respell(changing, (field) => `outbound_webhook_${field}`)
}

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/merchants',
    operationId: 'listMerchants',
    tag,
    summary: 'List merchants',
    description:
      'Newest first, each with its billing, its verification and its webhook. `q` finds part of the name; `kyb_status` `pending_review` finds businesses that wait for verification.',
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
      const merchant_ids = items.map(({ id }) => id)
      const { webhooks } = await services.outboundWebhook.getOutboundWebhooks({ merchant_ids })
      const rows = items.map((merchant, i) => merchantOf(merchant, required(webhooks[i])))
      return reply(200, { items: rows, total, limit, offset })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/admin/merchants/{merchantId}',
    operationId: 'getMerchant',
    tag,
    summary: 'Read a merchant',
    description:
      'Its settings, billing, verification and webhook. To judge the business ask for `include_kyb_payload`: what it submitted, with links to its documents.',
    auth: admin('admin.merchants.read'),
    params: { merchantId: uuid },
    query: {
      include_kyb_payload: booleanWord.optional().meta({
        description:
          'With `kyb_payload`: what the business has submitted, and its `documents`. Each has its `scan_status`, and a `url` to open it where that is `clean`. Reading it stands in the audit log.',
      }),
    },
    replies: { 200: z.object({ merchant: merchantRecord }) },
    errors: ['not_found'],
    async handle({ params, query }, services) {
      const include_kyb_payload = query.include_kyb_payload ?? false
      const [found, endpoint] = await Promise.all([
        services.merchant.getMerchant({ id: params.merchantId, include_kyb_payload }),
        services.outboundWebhook.getOutboundWebhook({ merchant_id: params.merchantId }),
      ])
      const merchant = merchantOf(required(found.merchant), required(endpoint.webhook))
      // Null where it was asked for and the merchant has not submitted any.
      const kyb_payload = include_kyb_payload ? (found.kyb_payload_json ?? null) : undefined
      return reply(200, { merchant: { ...merchant, kyb_payload } })
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
    replies: {
      200: z.object({
        merchant: merchantRecord,
        outbound_webhook_secret: z
          .string()
          .optional()
          .meta({ description: 'Only in the one reply after the service generated it' }),
      }),
    },
    errors: ['not_found', 'invalid_webhook_url', 'invalid_transition'],
    async handle({ params, body, caller }, services) {
      const { outbound_webhook_url, outbound_webhook_secret, outbound_webhook_enabled, ...fields } = body
      if (fields.business_approval_status !== undefined && !caller.permissions?.includes(APPROVE)) {
        throw new ServiceError('forbidden', { details: { required: [APPROVE] } })
      }
      const id = params.merchantId
      // The merchant first: a refusal after the endpoint was changed would take the generated secret with it.
      const { merchant } = isEmpty(fields)
        ? await services.merchant.getMerchant({ id, include_kyb_payload: false })
        : await services.merchant.updateMerchant({ id, ...withoutNulls(fields), clear_fields: nulls(fields) })
      const endpoint = {
        url: outbound_webhook_url,
        secret: outbound_webhook_secret,
        enabled: outbound_webhook_enabled,
      }
      const { webhook, generated_secret } = await changeEndpoint(services, id, endpoint)
      return reply(200, {
        merchant: merchantOf(required(merchant), required(webhook)),
        outbound_webhook_secret: generated_secret,
      })
    },
  }),
]
