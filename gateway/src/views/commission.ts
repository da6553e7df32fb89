import type { CommissionRule, GetCommissionSettingsResponse } from '@svc/contracts/wallet/v1/commission_service'
import { orNull, present } from './or-null.ts'

const ruleView = ({ amount_minor, vehicle_type, source }: CommissionRule) => ({ amount_minor, vehicle_type, source })

export function commissionView(merchant_id: string, found: GetCommissionSettingsResponse): Record<string, unknown> {
  const [settings, effective] = [present(found.settings), present(found.effective)]
  return {
    merchant_id,
    automation: orNull(settings.automation),
    trigger_statuses: orNull(settings.trigger_statuses?.values),
    merchant_debit: orNull(settings.merchant_debit),
    require_payment_verified: orNull(settings.require_payment_verified),
    rules: settings.rules.map(ruleView),
    updated_at: orNull(settings.updated_at),
    effective: {
      automation: effective.automation,
      trigger_statuses: effective.trigger_statuses,
      merchant_debit: effective.merchant_debit,
      require_payment_verified: effective.require_payment_verified,
      rules: effective.rules.map(ruleView),
      default_commission_minor: effective.default_commission_minor,
    },
  }
}
