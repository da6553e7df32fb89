import { expect, test } from '@jest/globals'
import { requireAmount } from './amount.ts'
import { OPERATOR, type Posting, requestHash, requireBalanced } from './operation.ts'

test.each([['5000'], [1.5], [-1], [2 ** 53], [Number.NaN], [Infinity], [null], [undefined], [10n], [[1]]])(
  '%p is no amount',
  (value) => {
    expect(() => requireAmount('amount_minor', value, { min: 0 })).toThrow(
      expect.objectContaining({ code: 'validation_error' }),
    )
  },
)

test.each([0, 1, Number.MAX_SAFE_INTEGER])('%p is an amount', (value) => {
  expect(requireAmount('amount_minor', value, { min: 0 })).toBe(value)
})

const operation = (...amounts: number[]) => ({
  opKey: 'k',
  kind: 'k',
  subjectId: null,
  merchantId: null,
  isTest: false,
  currency: 'NGN',
  postings: amounts.map(
    (amountMinor): Posting => ({ owner: OPERATOR, purpose: 'available', entryType: 'adjustment', amountMinor }),
  ),
})

test.each([[[]], [[0]], [[5, -4]], [[0.5, -0.5]], [[2 ** 53, -(2 ** 53)]], [[Number.NaN, 1]]])(
  'lines of %p are no operation',
  (amounts) => {
    expect(() => requireBalanced(operation(...amounts))).toThrow()
  },
)

test('lines that sum to zero are one', () => {
  expect(() => requireBalanced(operation(5, -3, -2))).not.toThrow()
})

test('requests that differ anywhere have different hashes', () => {
  const hashes = [['a', 'b'], ['ab', ''], ['a', null], ['a', 'null'], [1], ['1'], [1, 2], [12]].map((parts) =>
    requestHash(...parts).toString('hex'),
  )
  expect(new Set(hashes).size).toBe(hashes.length)
})
