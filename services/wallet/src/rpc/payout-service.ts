import type { ListWithdrawalsRequest, PayoutServiceService } from '@svc/contracts/wallet/v1/payout_service'
import { validationError } from '@svc/errors'
import { type Call, type Handlers, requireAdmin } from '@svc/grpc'
import { type Page, pageOf, resourceId, uuidField } from '@svc/inputs'
import type { Context } from '../context.ts'
import type { WithdrawalRow } from '../db/withdrawals.ts'
import type { Owner } from '../domain/operation.ts'
import { payoutInstrumentMessage, withdrawalMessage } from '../messages/payout.ts'
import { createPayoutInstrument } from '../use-cases/payout-instruments/create-payout-instrument.ts'
import { listPayoutInstruments } from '../use-cases/payout-instruments/list-payout-instruments.ts'
import { setDefaultPayoutInstrument } from '../use-cases/payout-instruments/set-default-payout-instrument.ts'
import { cancelWithdrawal } from '../use-cases/withdrawals/cancel-withdrawal.ts'
import { listAllWithdrawals, listOwnWithdrawals } from '../use-cases/withdrawals/list-withdrawals.ts'
import { requestWithdrawal } from '../use-cases/withdrawals/request-withdrawal.ts'
import { requireWithdrawalsEnabled } from '../use-cases/withdrawals/require-withdrawals-enabled.ts'
import { retryWithdrawal } from '../use-cases/withdrawals/retry-withdrawal.ts'
import { approveWithdrawal, rejectWithdrawal } from '../use-cases/withdrawals/review-withdrawal.ts'
import { payoutOwner, payoutReader } from './payout-owner.ts'

const READ = 'admin.withdrawals.read'
const WRITE = 'admin.withdrawals.write'

/** The rpcs of payout instruments and withdrawals. */
export function payoutService(ctx: Context): Handlers<typeof PayoutServiceService> {
  return {
    async listPayoutInstruments(request, call) {
      const owner = call.caller.kind === 'admin' ? namedOwner(call, request) : payoutReader(call)
      if (call.caller.isTest === true) return { items: [] }
      return { items: (await listPayoutInstruments(ctx, owner)).map(payoutInstrumentMessage) }
    },

    async createPayoutInstrument({ bank_code, account_number, account_name, is_default }, call) {
      const instrument = await createPayoutInstrument(ctx, call.caller, {
        owner: payoutOwner(call),
        bankCode: bank_code,
        accountNumber: account_number,
        accountName: account_name,
        isDefault: is_default,
      })
      return { payout_instrument: payoutInstrumentMessage(instrument) }
    },

    async setDefaultPayoutInstrument({ id }, call) {
      const owner = payoutOwner(call)
      const instrument = await setDefaultPayoutInstrument(ctx, call.caller, owner, resourceId(id))
      return { payout_instrument: payoutInstrumentMessage(instrument) }
    },

    async listWithdrawals(request, call) {
      const page = pageOf(request)
      const { items, total } = await listed(ctx, call, request, page)
      return {
        items: items.map(withdrawalMessage),
        total,
        ...page,
        min_amount_minor: ctx.config.withdrawalMinMinor,
        four_eyes_above_minor: ctx.config.fourEyesAboveMinor,
      }
    },

    async requestWithdrawal({ amount_minor, payout_instrument_id, idempotency }, call) {
      return requestWithdrawal(ctx, call.caller, {
        owner: payoutOwner(call),
        amountMinor: amount_minor,
        payoutInstrumentId:
          payout_instrument_id === undefined ? undefined : uuidField('payout_instrument_id', payout_instrument_id),
        idempotency,
      })
    },

    async cancelWithdrawal({ id }, call) {
      return answer(await cancelWithdrawal(ctx, payoutOwner(call), resourceId(id)))
    },

    async approveWithdrawal({ id }, call) {
      return answer(await approveWithdrawal(ctx, requireAdmin(call, WRITE), resourceId(id)))
    },

    async rejectWithdrawal({ id, reason }, call) {
      return answer(await rejectWithdrawal(ctx, requireAdmin(call, WRITE), resourceId(id), reason))
    },

    async retryWithdrawal({ id }, call) {
      return answer(await retryWithdrawal(ctx, requireAdmin(call, WRITE), resourceId(id)))
    },
  }
}

const answer = (row: WithdrawalRow) => ({ withdrawal: withdrawalMessage(row) })

/** Operators see everybody's, owners their own. */
async function listed(ctx: Context, call: Call, { status, owner_type, owner_id }: ListWithdrawalsRequest, page: Page) {
  if (call.caller.kind === 'admin') {
    requireAdmin(call, READ)
    const ownerId = owner_id === undefined ? undefined : uuidField('owner_id', owner_id)
    return listAllWithdrawals(ctx, { status, ownerKind: owner_type, ownerId }, page)
  }
  const owner = payoutReader(call)
  requireWithdrawalsEnabled(ctx)
  if (call.caller.isTest === true) return { items: [], total: 0 }
  return listOwnWithdrawals(ctx, owner, status, page)
}

function namedOwner(call: Call, named: { rider_id?: string; merchant_id?: string }): Owner {
  const { rider_id, merchant_id } = named
  if ((rider_id === undefined) === (merchant_id === undefined)) {
    const message = 'Name either rider_id or merchant_id.'
    throw validationError([{ field: 'rider_id', rule: 'required', message }])
  }
  requireAdmin(call, rider_id === undefined ? 'admin.merchants.read' : 'admin.riders.read')
  return rider_id === undefined
    ? { kind: 'merchant', id: uuidField('merchant_id', merchant_id) }
    : { kind: 'rider', id: uuidField('rider_id', rider_id) }
}
