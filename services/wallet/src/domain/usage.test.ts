import { expect, test } from '@jest/globals'
import { usageOf } from './usage.ts'

const hybrid = (includedAllowance: number | null) => ({ tier: 'hybrid', includedAllowance, overageFeeMinor: 2_500 })

test.each([
  [0, 100, 0, false],
  [33, 100, 33, false],
  [1, 3, 33.33, false],
  [100, 100, 100, false],
  [101, 100, 101, true],
  [0, 0, 100, false],
  [1, 0, 100, true],
])(
  '%i deliveries of %i are %i percent, and only more than all of them are too many',
  (used, allowance, percent, isOver) => {
    expect(usageOf(used, hybrid(allowance))).toEqual({
      deliveriesUsed: used,
      includedAllowance: allowance,
      overageFeeMinor: 2_500,
      usagePercent: percent,
      isOverAllowance: isOver,
    })
  },
)

test('no other tier has an allowance, nor has a hybrid one without terms', () => {
  const none = { includedAllowance: null, usagePercent: null, isOverAllowance: false }
  expect(usageOf(7, { ...hybrid(5), tier: 'saas' })).toMatchObject({
    deliveriesUsed: 7,
    overageFeeMinor: 2_500,
    ...none,
  })
  expect(usageOf(7, { tier: 'hybrid', includedAllowance: null, overageFeeMinor: null })).toMatchObject({
    overageFeeMinor: 0,
    ...none,
  })
})
