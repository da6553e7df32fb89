import type { GetBillingUsageResponse, Plan as PlanMessage } from '@svc/contracts/wallet/v1/billing_service'
import type { Plan } from '@svc/payments'
import type { Usage } from '../domain/usage.ts'

/** Named one by one: nothing else of the provider's leaves. */
export function planMessage(plan: Plan): PlanMessage {
  return {
    plan_code: plan.planCode,
    name: plan.name,
    description: plan.description ?? undefined,
    amount_minor: plan.amountMinor,
    interval: plan.interval,
    currency: plan.currency,
  }
}

export function usageMessage(usage: Usage & { cycleEnd: Date }): GetBillingUsageResponse {
  return {
    deliveries_used: usage.deliveriesUsed,
    included_allowance: usage.includedAllowance ?? undefined,
    overage_fee_minor: usage.overageFeeMinor,
    cycle_end: usage.cycleEnd.toISOString(),
    usage_percent: usage.usagePercent ?? undefined,
    over_allowance: usage.isOverAllowance,
  }
}
