import { ServiceError, validationError } from '@svc/errors'
import type { Payments, Plan } from '@svc/payments'
import type { Context } from '../context.ts'

/** The provider's active plans. */
export type Plans = () => Promise<Plan[]>

const CACHE_MS = 60_000

/** The provider's active plans, at most a minute old, asked for once for all who want them in that minute. */
export function cachedPlans(payments: Payments | null): Plans {
  let listed: Promise<Plan[]> | undefined
  let listedAtMs = 0
  return async () => {
    if (!listed || Date.now() - listedAtMs >= CACHE_MS) {
      listedAtMs = Date.now()
      listed = requirePayments({ payments }).listPlans()
      const asked = listed
      // A failure is the answer of those who wait for it, and of no later caller.
      asked.catch(() => {
        if (listed === asked) listed = undefined
      })
    }
    return listed
  }
}

/** The plan as the provider has it now, since it is about to be paid; throws validation_error where there is none. */
export async function requirePlan(payments: Payments, planCode: string): Promise<Plan> {
  const plans = await payments.listPlans()
  const plan = plans.find((each) => each.planCode === planCode)
  if (plan) return plan
  const allowed = plans.map((each) => each.planCode)
  throw validationError([{ field: 'plan_code', rule: 'enum', message: 'plan_code names no plan.', allowed }])
}

/** Throws payments_not_configured where the operator has no payment provider. */
export function requirePayments({ payments }: Pick<Context, 'payments'>): Payments {
  if (!payments) throw new ServiceError('payments_not_configured')
  return payments
}
