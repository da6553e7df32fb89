import { expect, test } from '@jest/globals'
import { isTopupReference, mismatchOf, newTopupReference } from './topup.ts'

const topup = { reference: newTopupReference(), merchantId: 'a', amountMinor: 600_000, currency: 'NGN' }

test('references of top-ups are told from all others', () => {
  expect(isTopupReference(topup.reference)).toBe(true)
  for (const other of [
    null,
    '',
    'tu-1',
    `x${topup.reference}`,
    `${topup.reference}x`,
    `wd_${topup.reference.slice(3)}`,
  ])
    expect(isTopupReference(other)).toBe(false)
})

test('only what was asked for is a payment of the top-up', () => {
  const payment = { amountMinor: 600_000, currency: 'NGN' }
  expect(mismatchOf(topup, payment)).toBeNull()
  expect(mismatchOf(topup, { ...payment, merchantIds: ['a', 'a'] })).toBeNull()
  expect(mismatchOf(topup, { ...payment, merchantIds: ['a', 'b'] })).toBe('tenant_mismatch')
  expect(mismatchOf(topup, { ...payment, merchantIds: [{}] })).toBe('tenant_mismatch')
  for (const amountMinor of [599_999, 600_001, null])
    expect(mismatchOf(topup, { ...payment, amountMinor })).toBe('amount_mismatch')
  for (const currency of ['GHS', 'ngn', null])
    expect(mismatchOf(topup, { ...payment, currency })).toBe('currency_mismatch')
})
