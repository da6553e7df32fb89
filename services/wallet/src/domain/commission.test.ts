import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { effectiveCommission, NO_SETTINGS, planCommission } from './commission.ts'

const DEFAULTS = {
  automation: true,
  triggerStatuses: ['delivered'],
  merchantDebit: true,
  requirePaymentVerified: false,
  defaultMinor: 5_000,
}
const settings = effectiveCommission(NO_SETTINGS, DEFAULTS)
const order = { isTest: false, status: 'delivered', paymentVerified: false, riderId: 'r' }

describe('planning a commission', () => {
  test.each([
    ['a delivery is paid', {}, {}, 'pay'],
    [
      'an unverified payment is held where verification is required',
      {},
      { requirePaymentVerified: true },
      'hold_in_escrow',
    ],
    ['a verified one is paid', { paymentVerified: true }, { requirePaymentVerified: true }, 'pay'],
    ['automation switched off moves nothing', {}, { automation: false }, 'none'],
    ['a test order moves nothing', { isTest: true }, {}, 'none'],
    ['nobody to pay', { riderId: undefined }, {}, 'none'],
    ['nothing to pay', { ownAmountMinor: 0 }, {}, 'none'],
    ['no status entered', { status: undefined }, {}, 'none'],
  ])('%s', (_what, ofOrder, ofMerchant, mode) => {
    expect(planCommission({ ...order, ...ofOrder }, { ...settings, ...ofMerchant }).mode).toBe(mode)
  })

  test('the order’s own amount goes before the rules, the rules before the default', () => {
    const rules = [{ amountMinor: 1, vehicleType: 'van' }, { amountMinor: 2, source: 'api' }, { amountMinor: 3 }]
    const amount = (of: object, own = rules) =>
      planCommission({ ...order, ...of }, { ...settings, rules: own }).amountMinor
    expect(amount({ ownAmountMinor: 0, vehicleType: 'van' })).toBe(0)
    expect(amount({ vehicleType: 'van', source: 'api' })).toBe(1)
    expect(amount({ vehicleType: 'bike', source: 'api' })).toBe(2)
    expect(amount({})).toBe(3)
    expect(amount({}, [])).toBe(5_000)
  })

  test('money moves only for a live order with a rider that enters a trigger status', () => {
    const orders = fc.record({
      isTest: fc.boolean(),
      status: fc.option(fc.constantFrom('delivered', 'pending'), { nil: undefined }),
      paymentVerified: fc.boolean(),
      riderId: fc.option(fc.constant('r'), { nil: undefined }),
      ownAmountMinor: fc.option(fc.nat(3), { nil: undefined }),
    })
    const switches = fc.record({ automation: fc.boolean(), requirePaymentVerified: fc.boolean() })
    fc.assert(
      fc.property(orders, switches, (one, switched) => {
        const plan = planCommission(one, { ...settings, ...switched })
        const moves = plan.mode !== 'none'
        const may = switched.automation && !one.isTest && one.riderId !== undefined && one.status === 'delivered'
        expect(moves).toBe(may && plan.amountMinor > 0)
        if (moves) expect(plan.mode === 'pay').toBe(one.paymentVerified || !switched.requirePaymentVerified)
      }),
    )
  })
})

test('null follows the operator, false does not', () => {
  expect(effectiveCommission({ ...NO_SETTINGS, automation: false, triggerStatuses: [] }, DEFAULTS)).toMatchObject({
    automation: false,
    triggerStatuses: [],
    merchantDebit: true,
  })
})
