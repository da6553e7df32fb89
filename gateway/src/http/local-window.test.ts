import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { LocalWindows } from './local-window.ts'

const limit = (key: string, count: number, windowSeconds = 60) => ({ key, name: key, limit: count, windowSeconds })

describe('local windows', () => {
  test('no stretch as long as the window ever admits more than the limit', () => {
    const gapsMs = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(gapsMs, fc.integer({ min: 1, max: 8 }), (gaps, count) => {
        const windows = new LocalWindows(1)
        const admitted: number[] = []
        let now = 1_700_000_000_123
        for (const gap of gaps) {
          now += gap
          if (windows.count([limit('a', count)], now).admitted) admitted.push(now)
        }
        return admitted.every((from, i) => admitted.slice(i).filter((at) => at < from + 60_000).length <= count)
      }),
    )
  })

  test('after the promised wait a request is admitted', () => {
    const windows = new LocalWindows(1)
    const now = 1_700_000_000_500
    expect(windows.count([limit('a', 1)], now).admitted).toBe(true)
    const { resetSeconds } = windows.count([limit('a', 1)], now + 7_000)
    expect(windows.count([limit('a', 1)], now + 7_000 + (resetSeconds - 2) * 1000).admitted).toBe(false)
    expect(windows.count([limit('a', 1)], now + 7_000 + resetSeconds * 1000).admitted).toBe(true)
  })

  test('who is admitted learns when the oldest request leaves, not when the window would be over from now', () => {
    const windows = new LocalWindows(1)
    const now = 1_700_000_000_000
    expect(windows.count([limit('a', 9)], now).resetSeconds).toBe(61)
    expect(windows.count([limit('a', 9)], now + 20_000).resetSeconds).toBe(41)
    expect(windows.count([limit('a', 9)], now + 65_000).resetSeconds).toBe(16)
  })

  test('of several limits the tightest is told, the one that is used up refuses, and a refusal uses up none', () => {
    const windows = new LocalWindows(1)
    const both = [limit('hour', 5, 3600), limit('minute', 1)]
    expect(windows.count(both, 0)).toMatchObject({ admitted: true, told: 1, remaining: 0 })
    for (let i = 0; i < 10; i++) expect(windows.count(both, 1000)).toMatchObject({ admitted: false, told: 1 })
    expect(windows.count([limit('hour', 5, 3600)], 2000).remaining).toBe(3)
  })

  test('who is refused, or only looks, makes nobody forgotten who was counted', () => {
    const windows = new LocalWindows(1)
    const [login, full] = [limit('login:a', 1, 3_600), limit('full', 1)]
    for (const one of [login, full]) expect(windows.count([one], 0).admitted).toBe(true)
    for (let i = 0; i < 60_000; i++) {
      expect(windows.count([full, limit(`refused:${i}`, 9)], 0).admitted).toBe(false)
      windows.count([limit(`looked:${i}`, 9)], 0, 'look')
    }
    expect(windows.count([login], 0).admitted).toBe(false)
  })

  test('replicas share a limit, each granting at least one', () => {
    const windows = new LocalWindows(4)
    const grants = (count: number, key: string) => {
      let granted = 0
      while (windows.count([limit(key, count)], 0).admitted) granted++
      return granted
    }
    expect([grants(60, 'a'), grants(2, 'b')]).toEqual([15, 1])
  })
})
