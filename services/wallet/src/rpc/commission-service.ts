import { CommissionServiceService } from '@svc/contracts/wallet/v1/commission_service'
import { operator, rpc, service, serving } from '@svc/grpc'
import { amountMinor, idField, text } from '@svc/inputs'
import * as z from 'zod'
import type { Context } from '../context.ts'
import { outcomeMessage, planMessage, readSettings, settingsReply } from '../messages/commission.ts'
import { abortCommission } from '../use-cases/abort-commission.ts'
import { getCommissionSettings } from '../use-cases/get-commission-settings.ts'
import { planCommission } from '../use-cases/plan-commission.ts'
import { releaseCommission } from '../use-cases/release-commission.ts'
import { replaceCommissionSettings } from '../use-cases/replace-commission-settings.ts'
import { reserveCommission } from '../use-cases/reserve-commission.ts'
import { settleCommission } from '../use-cases/settle-commission.ts'
import { voidCommission } from '../use-cases/void-commission.ts'

const opKey = text(255)
const escrowed = { op_key: opKey, order_id: idField, merchant_id: idField }

const carriedOrder = z
  .object({
    order_id: idField,
    merchant_id: idField,
    order_version: z.int().min(1),
    rider_id: idField.optional(),
    delivery_commission_minor: amountMinor.optional(),
    vehicle_type: z.string().optional(),
    source: z.string().optional(),
  })
  .transform((order) => ({
    orderId: order.order_id,
    merchantId: order.merchant_id,
    version: order.order_version,
    isTest: false,
    paymentVerified: false,
    riderId: order.rider_id,
    ownAmountMinor: order.delivery_commission_minor,
    vehicleType: order.vehicle_type,
    source: order.source,
  }))

/** The rpcs of riders' commissions. */
export const commissionService = serving<Context>()(CommissionServiceService, {
  planCommission: rpc({
    access: service('order', 'dispatch'),
    input: z.object({
      merchant_id: idField,
      is_test: z.boolean(),
      status: z.string().optional(),
      payment_verified: z.boolean(),
      rider_id: z.string().optional(),
      delivery_commission_minor: amountMinor.optional(),
      vehicle_type: z.string().optional(),
      source: z.string().optional(),
    }),
    handle: async (ctx, by, request) =>
      planMessage(
        await planCommission(ctx, by, {
          merchantId: request.merchant_id,
          isTest: request.is_test,
          status: request.status,
          paymentVerified: request.payment_verified,
          riderId: request.rider_id,
          ownAmountMinor: request.delivery_commission_minor,
          vehicleType: request.vehicle_type,
          source: request.source,
        }),
      ),
  }),

  reserveCommission: rpc({
    access: service('order'),
    input: carriedOrder,
    async handle(ctx, by, order) {
      await reserveCommission(ctx, by, order)
      return {}
    },
  }),

  settleCommission: rpc({
    access: service('order'),
    input: z.object({
      ...escrowed,
      rider_id: idField,
      amount_minor: amountMinor.min(1),
      currency: z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code'),
      mode: z.enum(['pay', 'hold_in_escrow']),
      payer: z.enum(['merchant', 'operator']),
    }),
    handle: async (ctx, by, { currency, mode, payer, ...request }) => ({
      outcome: outcomeMessage(
        await settleCommission(ctx, by, {
          opKey: request.op_key,
          orderId: request.order_id,
          merchantId: request.merchant_id,
          riderId: request.rider_id,
          amountMinor: request.amount_minor,
          currency,
          mode,
          payer,
        }),
      ),
    }),
  }),

  releaseCommission: rpc({
    access: service('order'),
    input: z.object(escrowed),
    handle: async (ctx, by, { op_key, order_id: orderId, merchant_id: merchantId }) => ({
      outcome: outcomeMessage(await releaseCommission(ctx, by, { opKey: op_key, orderId, merchantId })),
    }),
  }),

  voidCommission: rpc({
    access: service('order'),
    input: z.object({ ...escrowed, settle_op_key: opKey.optional(), reserve: carriedOrder.optional() }),
    handle: async (ctx, by, request) => ({
      outcome: outcomeMessage(
        await voidCommission(ctx, by, {
          opKey: request.op_key,
          orderId: request.order_id,
          merchantId: request.merchant_id,
          attemptOpKey: request.settle_op_key,
          carried: request.reserve,
        }),
      ),
    }),
  }),

  abortCommission: rpc({
    access: service('order'),
    input: z.object({ op_key: opKey }),
    handle: async (ctx, by, { op_key }) => ({ outcome: await abortCommission(ctx, by, { opKey: op_key }) }),
  }),

  getCommissionSettings: rpc({
    access: operator('admin.merchants.read'),
    handle: async (ctx, by, { merchant_id: merchantId }) =>
      settingsReply(await getCommissionSettings(ctx, by, { merchantId })),
  }),

  replaceCommissionSettings: rpc({
    access: operator('admin.merchants.write'),
    handle: async (ctx, by, { merchant_id: merchantId, settings }) =>
      settingsReply(await replaceCommissionSettings(ctx, by, { merchantId, settings: readSettings(settings) })),
  }),
})
