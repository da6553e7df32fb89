import type { Idempotency } from '@svc/contracts/common/v1/common'
import { CashServiceService } from '@svc/contracts/wallet/v1/cash_service'
import { either, inPerson, merchant, money, operator, payee, rider, rpc, service, serving } from '@svc/grpc'
import { amountMinor, idField, pageFields, resourceId, text } from '@svc/inputs'
import * as z from 'zod'
import type { Context } from '../context.ts'
import { REMITTANCE_STATUSES } from '../domain/cash.ts'
import { ADJUSTMENT_STATUSES } from '../domain/cash-adjustment.ts'
import {
  adjustmentMessage,
  cashAccountMessage,
  cashEntryMessage,
  cashTotalMessage,
  remittanceMessage,
} from '../messages/cash.ts'
import { adjustCash } from '../use-cases/cash/adjust-cash.ts'
import { approveCashAdjustment } from '../use-cases/cash/approve-cash-adjustment.ts'
import { collectCash } from '../use-cases/cash/collect-cash.ts'
import { confirmRemittance } from '../use-cases/cash/confirm-remittance.ts'
import { declareRemittance } from '../use-cases/cash/declare-remittance.ts'
import { disputeRemittance } from '../use-cases/cash/dispute-remittance.ts'
import { getCashStatement } from '../use-cases/cash/get-cash-statement.ts'
import { getRiderCash } from '../use-cases/cash/get-rider-cash.ts'
import { listCashAccounts } from '../use-cases/cash/list-cash-accounts.ts'
import { listCashAdjustments } from '../use-cases/cash/list-cash-adjustments.ts'
import { listCashDifferences } from '../use-cases/cash/list-cash-differences.ts'
import { listRemittances } from '../use-cases/cash/list-remittances.ts'
import { rejectCashAdjustment } from '../use-cases/cash/reject-cash-adjustment.ts'
import { resolveRemittance } from '../use-cases/cash/resolve-remittance.ts'
import { withdrawRemittance } from '../use-cases/cash/withdraw-remittance.ts'

const reading = merchant('orders:read', 'orders:write')
// Who says that cash has changed hands says so itself: no merchant for a rider who logs in.
const asRider = payee(money(rider()))
const handing = inPerson(either(merchant('orders:write'), asRider))
const deciding = operator('admin.withdrawals.write')
const watching = operator('admin.ledger.read')
const said = text(500).regex(/\S/, 'must not be blank')
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

  declareRemittance: rpc({
    access: handing,
    input: z.object({
      merchant_id: idField.optional(),
      rider_id: idField.optional(),
      amount_minor: amountMinor.min(1),
      currency: currency.optional(),
      note: text(500).optional(),
      idempotency: z.custom<Idempotency>().optional(),
    }),
    handle: (
      ctx,
      by,
      { merchant_id: merchantId, rider_id: riderId, amount_minor, currency: stated, note, idempotency },
    ) =>
      declareRemittance(ctx, by, {
        merchantId,
        riderId,
        amountMinor: amount_minor,
        currency: stated,
        note,
        idempotency,
      }),
  }),

  listRemittances: rpc({
    access: either(reading, money(rider()), operator('admin.ledger.read')),
    input: z.object({
      ...pageFields(),
      status: z.enum(REMITTANCE_STATUSES).optional(),
      rider_id: idField.optional(),
      merchant_id: idField.optional(),
    }),
    handle: async (ctx, by, { status, rider_id: riderId, merchant_id: merchantId, ...page }) => {
      const { items, total } = await listRemittances(ctx, by, { status, riderId, merchantId, page })
      return { items: items.map(remittanceMessage), total, ...page }
    },
  }),

  confirmRemittance: rpc({
    access: inPerson(merchant('orders:write')),
    input: z.object({ id: z.string(), received_minor: amountMinor.optional(), reason: text(500).optional() }),
    handle: async (ctx, by, { id, received_minor: receivedMinor, reason }) => ({
      remittance: remittanceMessage(await confirmRemittance(ctx, by, { id: resourceId(id), receivedMinor, reason })),
    }),
  }),

  disputeRemittance: rpc({
    access: handing,
    input: z.object({ id: z.string(), reason: said }),
    handle: async (ctx, by, { id, reason }) => ({
      remittance: remittanceMessage(await disputeRemittance(ctx, by, { id: resourceId(id), reason })),
    }),
  }),

  withdrawRemittance: rpc({
    access: inPerson(asRider),
    input: z.object({ id: z.string() }),
    handle: async (ctx, by, { id }) => ({
      remittance: remittanceMessage(await withdrawRemittance(ctx, by, { id: resourceId(id) })),
    }),
  }),

  resolveRemittance: rpc({
    access: deciding,
    input: z.object({ id: z.string(), received_minor: amountMinor, reason: said }),
    handle: async (ctx, by, { id, received_minor: receivedMinor, reason }) => ({
      remittance: remittanceMessage(await resolveRemittance(ctx, by, { id: resourceId(id), receivedMinor, reason })),
    }),
  }),

  listCashDifferences: rpc({
    access: watching,
    input: z.object(pageFields()),
    handle: async (ctx, by, page) => {
      const { items, total } = await listCashDifferences(ctx, by, page)
      return { items: items.map(remittanceMessage), total, ...page }
    },
  }),

  adjustCash: rpc({
    access: deciding,
    input: z.object({
      merchant_id: idField,
      rider_id: idField,
      amount_minor: z.int().refine((amount) => amount !== 0, 'must not be 0'),
      currency: currency.optional(),
      reason: said,
      idempotency: z.custom<Idempotency>().optional(),
    }),
    handle: (ctx, by, { merchant_id: merchantId, rider_id: riderId, amount_minor: changed, ...wanted }) =>
      adjustCash(ctx, by, { merchantId, riderId, amountMinor: changed, ...wanted }),
  }),

  listCashAdjustments: rpc({
    access: watching,
    input: z.object({ ...pageFields(), status: z.enum(ADJUSTMENT_STATUSES).optional() }),
    handle: async (ctx, by, { status, ...page }) => {
      const { items, total } = await listCashAdjustments(ctx, by, { status, page })
      return { items: items.map(adjustmentMessage), total, ...page }
    },
  }),

  approveCashAdjustment: rpc({
    access: deciding,
    input: z.object({ id: z.string() }),
    handle: async (ctx, by, { id }) => ({
      adjustment: adjustmentMessage(await approveCashAdjustment(ctx, by, { id: resourceId(id) })),
    }),
  }),

  rejectCashAdjustment: rpc({
    access: deciding,
    input: z.object({ id: z.string() }),
    handle: async (ctx, by, { id }) => ({
      adjustment: adjustmentMessage(await rejectCashAdjustment(ctx, by, { id: resourceId(id) })),
    }),
  }),

  getCashStatement: rpc({
    access: reading,
    input: z.object({
      ...pageFields(),
      rider_id: idField.optional(),
      since: z.string().optional(),
      until: z.string().optional(),
    }),
    handle: async (ctx, by, { rider_id: riderId, since, until, ...page }) => {
      const { items, total, totals } = await getCashStatement(ctx, by, { riderId, since, until, page })
      return { items: items.map(cashEntryMessage), total, ...page, totals: totals.map(cashTotalMessage) }
    },
  }),

  listCashAccounts: rpc({
    access: either(reading, operator('admin.ledger.read')),
    input: z.object({ ...pageFields(), rider_id: idField.optional(), merchant_id: idField.optional() }),
    handle: async (ctx, by, { rider_id: riderId, merchant_id: merchantId, ...page }) => {
      const { items, total } = await listCashAccounts(ctx, by, { riderId, merchantId, page })
      return { items: items.map(cashAccountMessage), total, ...page }
    },
  }),
})
