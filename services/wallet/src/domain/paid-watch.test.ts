import { expect, test } from '@jest/globals'
import { nextLook } from './paid-watch.ts'

const HOUR_MS = 3_600_000
const PAID_AT = new Date('2026-01-01T00:00:00Z')
const after = (hours: number) => new Date(PAID_AT.getTime() + hours * HOUR_MS)

test('a paid transfer is asked about ever more rarely, at least daily, until two weeks are over', () => {
  const looks: number[] = []
  for (let at = nextLook(PAID_AT, PAID_AT); at; at = nextLook(PAID_AT, at))
    looks.push((at.getTime() - PAID_AT.getTime()) / HOUR_MS)
  expect(looks.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 32, 56])
  for (const [n, hours] of looks.entries()) expect(hours - (looks[n - 1] ?? 0)).toBeLessThanOrEqual(24)
  expect(looks.at(-1)).toBe(14 * 24)
})

test('a late look is followed by one more, and no more after two weeks', () => {
  expect(nextLook(PAID_AT, after(13 * 24))).toEqual(after(14 * 24))
  for (const days of [14, 15, 400]) expect(nextLook(PAID_AT, after(days * 24))).toBeNull()
})
