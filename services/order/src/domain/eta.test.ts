import { describe, expect, test } from '@jest/globals'
import { isWorthTelling, statedEta } from './eta.ts'

const at = (minute: number) => new Date(Date.UTC(2030, 0, 1, 10, minute)).toISOString()

describe('an estimate is told', () => {
  const told = { pickup_p50_at: at(10), pickup_p90_at: at(15), dropoff_p50_at: at(30), dropoff_p90_at: at(40) }

  test.each([
    ['when none was told before', null, told, true],
    ['not when nothing moved', told, told, false],
    ['not at exactly five minutes', told, { ...told, dropoff_p50_at: at(35) }, false],
    ['beyond five minutes later', told, { ...told, dropoff_p50_at: '2030-01-01T10:35:00.001Z' }, true],
    ['beyond five minutes earlier', told, { ...told, pickup_p50_at: at(4) }, true],
    ['not when only the cautious estimate moved', told, { ...told, dropoff_p90_at: at(55) }, false],
    ['not when the pickup lies behind', told, { dropoff_p50_at: at(30) }, false],
    ['when an end becomes known', { pickup_p50_at: at(10) }, told, true],
  ])('%s', (_, before, eta, expected) => {
    expect(isWorthTelling(before, eta)).toBe(expected)
  })

  test('and one that states nothing is none', () => {
    expect(statedEta(undefined)).toBeNull()
    expect(statedEta({ pickup_p50_at: undefined })).toBeNull()
    expect(statedEta({ dropoff_p50_at: at(1), pickup_p50_at: undefined })).toEqual({ dropoff_p50_at: at(1) })
  })
})
