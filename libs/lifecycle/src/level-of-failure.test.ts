import { expect, test } from '@jest/globals'
import { levelOfFailure } from './level-of-failure.ts'

test.each([
  ['the first', 1, 0, 'warn'],
  ['one that comes again at once', 2, 500, 'debug'],
  ['the hundredth within half a minute', 100, 29_999, 'debug'],
  ['one that has gone on for half a minute', 101, 30_000, 'error'],
  ['one that goes on, at every round', 2, 3_600_000, 'error'],
] as const)('of failures in a row %s is logged as it deserves', (_which, failures, failingForMs, level) => {
  expect(levelOfFailure(failures, failingForMs)).toBe(level)
})
