import { codeOf } from './books.ts'

export interface Plan {
  id: number
  code: string
  name: string
  description: string | null
  amount: number
  interval: 'monthly' | 'annually'
  currency: string
  isArchived: boolean
}

const plan = (id: number, name: string, amount: number, rest: Partial<Plan> = {}): Plan => ({
  id,
  code: codeOf('PLN', name),
  name,
  description: null,
  amount,
  interval: 'monthly',
  currency: 'NGN',
  isArchived: false,
  ...rest,
})

/** What the platform offers, and what it no longer does. */
export const PLANS: readonly Plan[] = [
  plan(27, 'Starter', 500_000, { description: 'For a first shop' }),
  plan(28, 'Growth', 1_500_000, { description: 'For several shops' }),
  plan(29, 'Scale', 5_000_000),
  plan(30, 'Growth, by the year', 15_000_000, { interval: 'annually' }),
  plan(31, 'Pioneer', 100_000, { description: 'No longer offered', isArchived: true }),
]

export const planOf = (code: string | null): Plan | undefined => PLANS.find((each) => each.code === code)

/** When a subscription that is paid at this moment is due again. */
export function nextPaymentAfter({ interval }: Plan, paidAt: string): string {
  const due = new Date(paidAt)
  due.setUTCMonth(due.getUTCMonth() + (interval === 'annually' ? 12 : 1))
  return due.toISOString()
}
