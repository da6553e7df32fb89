import { describe, expect, test } from '@jest/globals'
import { type SubscriptionState, standingOf } from './billing-standing.ts'

const day = (number: number): Date => new Date(Date.UTC(2026, 10, number))

const subscription = (known: Partial<SubscriptionState> = {}): SubscriptionState => ({
  periodEnd: day(30),
  hasEnded: false,
  lastPaidAt: null,
  lastFailedAt: null,
  ...known,
})

describe('where a merchant stands', () => {
  test('is nowhere without a subscription', () => {
    expect(standingOf([])).toBeNull()
  })

  test.each<[string, Partial<SubscriptionState>, string]>([
    ['whose first payment is on its way', {}, 'active'],
    ['whose invoice failed', { lastFailedAt: day(2) }, 'past_due'],
    ['whose failed invoice was paid after all', { lastFailedAt: day(2), lastPaidAt: day(2) }, 'active'],
    ['whose newer invoice is paid', { lastFailedAt: day(2), lastPaidAt: day(3) }, 'active'],
    ['whose newer invoice failed', { lastFailedAt: day(3), lastPaidAt: day(2) }, 'past_due'],
    ['that has ended, paid or not', { hasEnded: true, lastPaidAt: day(3) }, 'canceled'],
  ])('with one subscription %s is %j: %s', (_what, known, billingStatus) => {
    expect(standingOf([subscription(known)])).toEqual({ billingStatus, periodEnd: day(30) })
  })

  test('an ended or unpaid subscription takes nothing from one that is paid, and the period is that of the paid one', () => {
    const ended = subscription({ hasEnded: true, periodEnd: day(29) })
    const unpaid = subscription({ lastFailedAt: day(3), periodEnd: day(28) })
    const paid = subscription({ periodEnd: day(27) })
    expect(standingOf([ended, unpaid, paid])).toEqual({ billingStatus: 'active', periodEnd: day(27) })
    expect(standingOf([ended, unpaid])).toEqual({ billingStatus: 'past_due', periodEnd: day(28) })
    expect(standingOf([ended])).toEqual({ billingStatus: 'canceled', periodEnd: day(29) })
  })
})
