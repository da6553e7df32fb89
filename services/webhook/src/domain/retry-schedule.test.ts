import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { judgeAttempt, parseRetryAfter, retryDelayMs } from './retry-schedule.ts'

const failed = (statusCode: number | null, retryAfterMs: number | null = null) => ({
  statusCode,
  error: 'failed',
  retryAfterMs,
})

describe('the retry schedule', () => {
  test('waits 30, 60, 120 and 240 s, then the fifth failure is final', () => {
    const verdicts = [1, 2, 3, 4, 5].map((attempt) => judgeAttempt(failed(500), attempt, 5))
    expect(verdicts).toEqual([
      { status: 'pending', delayMs: 30_000 },
      { status: 'pending', delayMs: 60_000 },
      { status: 'pending', delayMs: 120_000 },
      { status: 'pending', delayMs: 240_000 },
      { status: 'dead' },
    ])
  })

  test('doubles exactly up to one hour and never passes it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), (attempt) => {
        let expected = 30_000
        for (let n = 1; n < attempt; n++) expected = Math.min(expected * 2, 3_600_000)
        expect(retryDelayMs(attempt)).toBe(expected)
      }),
    )
  })

  test('every outcome is decided: 2xx succeeds, else it waits at least the formula and at most an hour, or is dead', () => {
    const status = fc.option(fc.integer({ min: 100, max: 599 }))
    const retryAfter = fc.option(fc.integer({ min: 0, max: 10_000_000 }))
    const attempts = fc
      .integer({ min: 5, max: 20 })
      .chain((max) => fc.tuple(fc.integer({ min: 1, max }), fc.constant(max)))
    fc.assert(
      fc.property(status, retryAfter, attempts, (statusCode, retryAfterMs, [attempt, max]) => {
        const verdict = judgeAttempt(failed(statusCode, retryAfterMs), attempt, max)
        if (statusCode !== null && statusCode >= 200 && statusCode < 300) return verdict.status === 'succeeded'
        if (statusCode === 410 || attempt === max) return verdict.status === 'dead'
        if (verdict.status !== 'pending') return false
        const heeded = (statusCode === 429 || statusCode === 503) && retryAfterMs !== null
        const expected = Math.min(Math.max(retryDelayMs(attempt), heeded ? retryAfterMs : 0), 3_600_000)
        return verdict.delayMs === expected
      }),
    )
  })

  test('Retry-After lengthens the wait on 429 and 503 only', () => {
    expect(judgeAttempt(failed(429, 90_000), 1, 5)).toEqual({ status: 'pending', delayMs: 90_000 })
    expect(judgeAttempt(failed(503, 7_200_000), 1, 5)).toEqual({ status: 'pending', delayMs: 3_600_000 })
    expect(judgeAttempt(failed(503, 5_000), 2, 5)).toEqual({ status: 'pending', delayMs: 60_000 })
    expect(judgeAttempt(failed(500, 90_000), 1, 5)).toEqual({ status: 'pending', delayMs: 30_000 })
  })

  test('410 is final at the first attempt', () => {
    expect(judgeAttempt(failed(410), 1, 20)).toEqual({ status: 'dead' })
  })

  test.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
    ['2026', 2_026_000],
    [undefined, null],
  ])('reads Retry-After %p as %p ms', (header, expected) => {
    expect(parseRetryAfter(header, new Date('2026-11-21T10:00:00Z'))).toBe(expected)
  })
})
