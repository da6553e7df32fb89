import type {
  CommissionOutcome,
  EffectiveCommissionSettings,
  GetCommissionSettingsResponse,
  PlanCommissionResponse,
  CommissionRule as RuleMessage,
  CommissionSettings as SettingsMessage,
} from '@svc/contracts/wallet/v1/commission_service'
import { requireAmountWithin } from '../domain/amount.ts'
import type {
  CommissionRule,
  CommissionSettings,
  EffectiveCommission,
  KnownSettings,
  PlannedCommission,
} from '../domain/commission.ts'
import type { Decision } from '../domain/operation.ts'

/** Far above any, and far below where a rider's balance would cease to be an exact integer. */
const COMMISSIONS = { min: 0, max: 1_000_000_000_000 }

/** message → settings; throws validation_error for an amount that is none. */
export function readSettings(message: SettingsMessage | undefined): CommissionSettings {
  return {
    automation: message?.automation ?? null,
    triggerStatuses: message?.trigger_statuses ? [...new Set(message.trigger_statuses.values)] : null,
    merchantDebit: message?.merchant_debit ?? null,
    requirePaymentVerified: message?.require_payment_verified ?? null,
    rules: (message?.rules ?? []).map((rule, index) => ({
      amountMinor: requireAmountWithin(`rules[${index}].amount_minor`, rule.amount_minor, COMMISSIONS),
      vehicleType: rule.vehicle_type,
      source: rule.source,
    })),
    updatedAt: null,
  }
}

/** A merchant's settings and what they come to. */
export const settingsReply = ({ own, effective }: KnownSettings): GetCommissionSettingsResponse => ({
  settings: settingsMessage(own),
  effective: effectiveMessage(effective),
})

/** plan → message */
export const planMessage = (plan: PlannedCommission): PlanCommissionResponse => ({
  mode: plan.mode,
  amount_minor: plan.amountMinor,
  currency: plan.currency,
  payer: plan.payer,
  is_trigger: plan.isTrigger,
  require_payment_verified: plan.requirePaymentVerified,
})

/** settings → message */
function settingsMessage(own: CommissionSettings): SettingsMessage {
  return {
    automation: own.automation ?? undefined,
    trigger_statuses: own.triggerStatuses ? { values: [...own.triggerStatuses] } : undefined,
    merchant_debit: own.merchantDebit ?? undefined,
    require_payment_verified: own.requirePaymentVerified ?? undefined,
    rules: own.rules.map(ruleMessage),
    updated_at: own.updatedAt?.toISOString(),
  }
}

/** settings → message */
function effectiveMessage(effective: EffectiveCommission): EffectiveCommissionSettings {
  return {
    automation: effective.automation,
    trigger_statuses: [...effective.triggerStatuses],
    merchant_debit: effective.merchantDebit,
    require_payment_verified: effective.requirePaymentVerified,
    rules: effective.rules.map(ruleMessage),
    default_commission_minor: effective.defaultMinor,
  }
}

const ruleMessage = ({ amountMinor, vehicleType, source }: CommissionRule): RuleMessage => ({
  amount_minor: amountMinor,
  vehicle_type: vehicleType,
  source,
})

/** decision → message; what a merchant could not bear has the name that its callers know. */
export function outcomeMessage({ outcome, isReplay, result }: Decision): CommissionOutcome {
  const isDeclined = outcome === 'declined'
  return {
    outcome,
    is_replay: isReplay,
    state: isDeclined ? undefined : result?.state,
    reason: !isDeclined
      ? undefined
      : result?.reason === 'insufficient'
        ? 'insufficient_merchant_wallet'
        : result?.reason,
    required_minor: isDeclined ? result?.required_minor : undefined,
    balance_minor: isDeclined ? result?.balance_minor : undefined,
  }
}
