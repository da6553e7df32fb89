import { CashServiceService } from '@svc/contracts/wallet/v1/cash_service'
import { money, rider, rpc, service, serving } from '@svc/grpc'
import { amountMinor, idField, pageFields } from '@svc/inputs'
import * as z from 'zod'
import type { Context } from '../context.ts'
import { cashAccountMessage } from '../messages/cash.ts'
import { collectCash } from '../use-cases/cash/collect-cash.ts'
import { getRiderCash } from '../use-cases/cash/get-rider-cash.ts'

const currency = z.string().regex(/^[A-Z]{3}$/, 'must be a currency code')

/** The rpcs of cash on delivery. */
export const cashService = serving<Context>()(CashServiceService, {
  collectCash: rpc({
    access: service('order'),
    input: z.object({
      op_key: z.string().min(1).max(200),
      order_id: idField,
      merchant_id: idField,
      rider_id: idField,
      is_test: z.boolean(),
      amount_minor: amountMinor.min(1),
      currency: currency.optional(),
    }),
    handle: async (ctx, by, { op_key, order_id, merchant_id, rider_id, is_test, amount_minor, currency: stated }) => ({
      outcome: await collectCash(ctx, by, {
        opKey: op_key,
        orderId: order_id,
        merchantId: merchant_id,
        riderId: rider_id,
        isTest: is_test,
        amountMinor: amount_minor,
        currency: stated,
      }),
    }),
  }),

  getRiderCash: rpc({
    access: money(rider()),
    input: z.object(pageFields()),
    handle: async (ctx, by, page) => {
      const { items, total } = await getRiderCash(ctx, by, page)
      return { items: items.map(cashAccountMessage), total, ...page }
    },
  }),
})
