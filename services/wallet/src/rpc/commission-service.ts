import type { CommissionServiceService } from '@svc/contracts/wallet/v1/commission_service'
import { ServiceError, validationError } from '@svc/errors'
import { type Call, type Handlers, requireAdmin } from '@svc/grpc'
import { resourceId, uuidField } from '@svc/inputs'
import type { Context } from '../context.ts'
import { requireAmount } from '../domain/amount.ts'
import { OPERATOR } from '../domain/operation.ts'
import { effectiveMessage, outcomeMessage, readSettings, settingsMessage } from '../messages/commission.ts'
import { getCommissionSettings, replaceCommissionSettings } from '../use-cases/commission-settings.ts'
import { planCommission } from '../use-cases/plan-commission.ts'
import { releaseCommission } from '../use-cases/release-commission.ts'
import { settleCommission } from '../use-cases/settle-commission.ts'
import { abortCommission, voidCommission } from '../use-cases/void-commission.ts'

/** The rpcs of riders' commissions. */
export function commissionService(ctx: Context): Handlers<typeof CommissionServiceService> {
  return {
    async planCommission(request, call) {
      requireService(call)
      const own = request.delivery_commission_minor
      const plan = await planCommission(ctx, uuidField('merchant_id', request.merchant_id), {
        isTest: request.is_test,
        status: request.status,
        paymentVerified: request.payment_verified,
        riderId: request.rider_id,
        ownAmountMinor: own === undefined ? undefined : requireAmount('delivery_commission_minor', own, { min: 0 }),
        vehicleType: request.vehicle_type,
        source: request.source,
      })
      return {
        mode: plan.mode,
        amount_minor: plan.amountMinor,
        currency: plan.currency,
        payer: plan.payer,
        is_trigger: plan.isTrigger,
        require_payment_verified: plan.requirePaymentVerified,
      }
    },

    async settleCommission(request, call) {
      requireService(call)
      const merchantId = uuidField('merchant_id', request.merchant_id)
      const outcome = await settleCommission(ctx, {
        opKey: keyField('op_key', request.op_key),
        orderId: uuidField('order_id', request.order_id),
        merchantId,
        riderId: uuidField('rider_id', request.rider_id),
        amountMinor: requireAmount('amount_minor', request.amount_minor, { min: 1 }),
        currency: currencyField(request.currency),
        mode: oneOf('mode', request.mode, ['pay', 'hold_in_escrow']),
        payer:
          oneOf('payer', request.payer, ['merchant', 'operator']) === 'merchant'
            ? { kind: 'merchant', id: merchantId }
            : OPERATOR,
      })
      return { outcome: outcomeMessage(outcome) }
    },

    async releaseCommission(request, call) {
      requireService(call)
      return { outcome: outcomeMessage(await releaseCommission(ctx, escrowedOf(request))) }
    },

    async voidCommission({ settle_op_key, ...request }, call) {
      requireService(call)
      const attemptOpKey = settle_op_key === undefined ? undefined : keyField('settle_op_key', settle_op_key)
      return { outcome: outcomeMessage(await voidCommission(ctx, { ...escrowedOf(request), attemptOpKey })) }
    },

    async abortCommission({ op_key }, call) {
      requireService(call)
      return { outcome: await abortCommission(ctx, keyField('op_key', op_key)) }
    },

    async getCommissionSettings({ merchant_id }, call) {
      requireAdmin(call, 'admin.merchants.read')
      const { own, effective } = await getCommissionSettings(ctx, resourceId(merchant_id))
      return { settings: settingsMessage(own), effective: effectiveMessage(effective) }
    },

    async replaceCommissionSettings({ merchant_id, settings }, call) {
      const caller = requireAdmin(call, 'admin.merchants.write')
      const wanted = readSettings(settings)
      const { own, effective } = await replaceCommissionSettings(ctx, caller, resourceId(merchant_id), wanted)
      return { settings: settingsMessage(own), effective: effectiveMessage(effective) }
    },
  }
}

function requireService({ caller }: Call): void {
  if (caller.kind !== 'system') throw new ServiceError('forbidden')
}

const escrowedOf = (request: { op_key: string; order_id: string; merchant_id: string }) => ({
  opKey: keyField('op_key', request.op_key),
  orderId: uuidField('order_id', request.order_id),
  merchantId: uuidField('merchant_id', request.merchant_id),
})

function keyField(field: string, key: string): string {
  if (key.length >= 1 && key.length <= 255) return key
  throw validationError([{ field, rule: 'length', limit: 255, message: `${field} must be 1 to 255 characters.` }])
}

function currencyField(currency: string): string {
  if (/^[A-Z]{3}$/.test(currency)) return currency
  throw validationError([{ field: 'currency', rule: 'currency', message: 'currency must be an ISO 4217 code.' }])
}

function oneOf<T extends string>(field: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value)
  if (found !== undefined) return found
  throw validationError([{ field, rule: 'enum', allowed, message: `${field} must be one of ${allowed.join(', ')}.` }])
}
