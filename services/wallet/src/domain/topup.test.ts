import { describe, expect, test } from '@jest/globals'
import { isTopupReference, mismatchOf, newTopupReference, nextVerification } from './topup.ts'

const topup = { reference: newTopupReference(), merchantId: 'a', amountMinor: 600_000, currency: 'NGN' }
const HOUR_MS = 3_600_000

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

describe('an unpaid top-up', () => {
  const createdAt = new Date('2026-11-21T12:00:00Z')
  const MIN_PAUSE_MS = 300_000

  function verifications(): number[] {
    const ages: number[] = []
    for (let ageMs = MIN_PAUSE_MS; ; ) {
      ages.push(ageMs)
      const next = nextVerification(createdAt, new Date(createdAt.getTime() + ageMs), MIN_PAUSE_MS)
      if (!next) return ages
      ageMs = next.getTime() - createdAt.getTime()
    }
  }

  test('is asked about until it is three days old, and at that very age', () => {
    expect(verifications().at(-1)).toBe(72 * HOUR_MS)
  })

  test('never waits longer than a tenth of its age or the least pause', () => {
    const ages = verifications()
    ages.slice(1).forEach((ageMs, index) => {
      const before = ages[index]!
      expect(ageMs - before).toBeLessThanOrEqual(Math.max(MIN_PAUSE_MS, before / 10) + 1)
      expect(ageMs).toBeGreaterThan(before)
    })
  })

  test('costs the provider fewer than a hundred questions', () => {
    expect(verifications().length).toBeLessThan(100)
  })
})
