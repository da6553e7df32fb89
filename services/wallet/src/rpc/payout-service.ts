import { PayoutServiceService } from '@svc/contracts/wallet/v1/payout_service'
import {
  either,
  inPerson,
  liveOnly,
  merchant,
  money,
  operator,
  ownKey,
  payee,
  rider,
  rpc,
  service,
  serving,
} from '@svc/grpc'
import { idField, pageFields, resourceId, text } from '@svc/inputs'
import { WITHDRAWAL_STATUSES } from '@svc/public-bodies'
import * as z from 'zod'
import type { Context } from '../context.ts'
import { PAYEES } from '../domain/withdrawal.ts'
import { payoutInstrumentMessage, withdrawalMessage } from '../messages/payout.ts'
import { createPayoutInstrument } from '../use-cases/payout-instruments/create-payout-instrument.ts'
import { freezeRiderWithdrawals } from '../use-cases/payout-instruments/freeze-rider-withdrawals.ts'
import { listPayoutInstruments } from '../use-cases/payout-instruments/list-payout-instruments.ts'
import { setDefaultPayoutInstrument } from '../use-cases/payout-instruments/set-default-payout-instrument.ts'
import { approveWithdrawal } from '../use-cases/withdrawals/approve-withdrawal.ts'
import { cancelWithdrawal } from '../use-cases/withdrawals/cancel-withdrawal.ts'
import { listWithdrawals } from '../use-cases/withdrawals/list-withdrawals.ts'
import { rejectWithdrawal } from '../use-cases/withdrawals/reject-withdrawal.ts'
import { requestWithdrawal } from '../use-cases/withdrawals/request-withdrawal.ts'
import { retryWithdrawal } from '../use-cases/withdrawals/retry-withdrawal.ts'

// Sandboxes may read: nothing is ever paid out there, and that is what they see.
const reading = inPerson(either(merchant('orders:read', 'orders:write'), money(rider())))
// A bank account is not named, nor money asked for, with a key that an operator has seen, who may approve it.
const paidOut = ownKey(inPerson(liveOnly(either(merchant('orders:write'), money(rider())))))
// Where a rider is paid, the rider alone decides as soon as it has logged in.
const paidTo = ownKey(inPerson(liveOnly(either(merchant('orders:write'), payee(money(rider()))))))
const reviewing = operator('admin.withdrawals.write')

/** The rpcs of payout instruments and withdrawals. */
export const payoutService = serving<Context>()(PayoutServiceService, {
  listPayoutInstruments: rpc({
    access: either(reading, operator('admin.merchants.read'), operator('admin.riders.read')),
    input: z.object({ rider_id: idField.optional(), merchant_id: idField.optional() }),
    handle: async (ctx, by, { rider_id: riderId, merchant_id: merchantId }) => ({
      items: (await listPayoutInstruments(ctx, by, { riderId, merchantId })).map(payoutInstrumentMessage),
    }),
  }),

  createPayoutInstrument: rpc({
    access: paidTo,
    input: z.object({
      bank_code: z.string().regex(/^[0-9A-Za-z]{3,6}$/, 'must be 3 to 6 digits or letters'),
      account_number: z.string().regex(/^[0-9]{10}$/, 'must be 10 digits'),
      account_name: text(100).regex(/\S/, 'must not be blank').optional(),
      is_default: z.boolean(),
    }),
    handle: async (ctx, by, request) => ({
      payout_instrument: payoutInstrumentMessage(
        await createPayoutInstrument(ctx, by, {
          bankCode: request.bank_code,
          accountNumber: request.account_number,
          accountName: request.account_name,
          isDefault: request.is_default,
        }),
      ),
    }),
  }),

  setDefaultPayoutInstrument: rpc({
    access: paidTo,
    handle: async (ctx, by, { id }) => ({
      payout_instrument: payoutInstrumentMessage(await setDefaultPayoutInstrument(ctx, by, { id: resourceId(id) })),
    }),
  }),

  freezeRiderWithdrawals: rpc({
    access: service('dispatch'),
    input: z.object({ rider_id: idField }),
    async handle(ctx, by, { rider_id: riderId }) {
      await freezeRiderWithdrawals(ctx, by, { riderId })
      return {}
    },
  }),

  listWithdrawals: rpc({
    access: either(reading, operator('admin.withdrawals.read')),
    input: z.object({
      ...pageFields(),
      status: z.enum(WITHDRAWAL_STATUSES).optional(),
      owner_type: z.enum(PAYEES).optional(),
      owner_id: idField.optional(),
    }),
    handle: async (ctx, by, { status, owner_type: ownerKind, owner_id: ownerId, ...page }) => {
      const { items, total } = await listWithdrawals(ctx, by, { status, ownerKind, ownerId, page })
      return {
        items: items.map(withdrawalMessage),
        total,
        ...page,
        min_amount_minor: ctx.config.withdrawalMinMinor,
        four_eyes_above_minor: ctx.config.fourEyesAboveMinor,
      }
    },
  }),

  requestWithdrawal: rpc({
    access: paidOut,
    handle: (ctx, by, { amount_minor: amountMinor, payout_instrument_id: payoutInstrumentId, idempotency }) =>
      requestWithdrawal(ctx, by, { amountMinor, payoutInstrumentId, idempotency }),
  }),

  cancelWithdrawal: rpc({
    access: paidOut,
    handle: async (ctx, by, { id }) => ({
      withdrawal: withdrawalMessage(await cancelWithdrawal(ctx, by, { id: resourceId(id) })),
    }),
  }),

  approveWithdrawal: rpc({
    access: reviewing,
    handle: async (ctx, by, { id }) => ({
      withdrawal: withdrawalMessage(await approveWithdrawal(ctx, by, { id: resourceId(id) })),
    }),
  }),

  rejectWithdrawal: rpc({
    access: reviewing,
    input: z.object({ id: z.string(), reason: text(512).optional() }),
    handle: async (ctx, by, { id, reason }) => ({
      withdrawal: withdrawalMessage(await rejectWithdrawal(ctx, by, { id: resourceId(id), reason })),
    }),
  }),

  retryWithdrawal: rpc({
    access: reviewing,
    handle: async (ctx, by, { id }) => ({
      withdrawal: withdrawalMessage(await retryWithdrawal(ctx, by, { id: resourceId(id) })),
    }),
  }),
})
