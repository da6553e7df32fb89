import { IntakeServiceService } from '@svc/contracts/order/v1/intake_service'
import { rpc, service, serving } from '@svc/grpc'
import { text, uuid } from '@svc/inputs'
import { z } from 'zod'
import { cancelIngestedOrder } from '../changes/cancel-ingested-order.ts'
import { updateIngestedOrder } from '../changes/update-ingested-order.ts'
import type { Context } from '../context.ts'
import { ingestOrder } from '../use-cases/ingest-order.ts'

const INGESTION = service('ingestion')

const key = z
  .object({ merchant_id: uuid, is_test: z.boolean().optional(), source: z.string(), external_order_id: z.string() })
  .transform(({ merchant_id: merchantId, is_test: isTest = null, source, external_order_id: externalOrderId }) => ({
    merchantId,
    isTest,
    source,
    externalOrderId,
  }))

const ingestion = z
  .object({
    key,
    raw_payload_json: z.string(),
    standardized_json: z.string(),
    payment_verified: z.boolean(),
    billing_status: z.string(),
    kyb_status: z.string(),
    business_approval_status: z.string(),
  })
  .transform((sent) => ({
    key: sent.key,
    rawPayloadJson: sent.raw_payload_json,
    standardizedJson: sent.standardized_json,
    paymentVerified: sent.payment_verified,
    standing: {
      billingStatus: sent.billing_status,
      kybStatus: sent.kyb_status,
      businessApprovalStatus: sent.business_approval_status,
    },
  }))

/** The rpcs of orders that hooks tell of. */
export const intakeService = serving<Context>()(IntakeServiceService, {
  ingestOrder: rpc({
    access: INGESTION,
    input: ingestion,
    async handle(ctx, by, input) {
      const { order, idempotent } = await ingestOrder(ctx, by, input)
      return { order_id: order.id, idempotent, status: order.status, payment_verified: order.payment_verified }
    },
  }),

  updateIngestedOrder: rpc({
    access: INGESTION,
    input: z.object({ key, payment_verified: z.boolean() }),
    handle: async (ctx, by, { key: of, payment_verified: paymentVerified }) => ({
      order_id: (await updateIngestedOrder(ctx, by, { key: of, paymentVerified })).id,
    }),
  }),

  cancelIngestedOrder: rpc({
    access: INGESTION,
    input: z.object({ key, reason: text(512) }),
    async handle(ctx, by, { key: of, reason }) {
      const { order, changed } = await cancelIngestedOrder(ctx, by, { key: of, reason })
      return { order_id: order.id, already_cancelled: !changed }
    },
  }),
})
