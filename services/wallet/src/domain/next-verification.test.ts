import { describe, expect, test } from '@jest/globals'
import { nextVerification } from './next-verification.ts'

const HOUR_MS = 3_600_000

describe('an unpaid checkout', () => {
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
