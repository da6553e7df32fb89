import { expect, test } from '@jest/globals'
import { totalsLine, totalsOf } from './test-totals.ts'

const run = {
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  numRuntimeErrorTestSuites: 0,
  testResults: [],
}

test('runs are added up, and what did not run is counted as skipped', () => {
  expect(totalsLine(totalsOf([run, { ...run, numFailedTests: 2 }]))).toBe('10 passed, 2 failed, 4 skipped')
})

test('a file that could not run and a run that left no results are failures', () => {
  expect(totalsOf([{ ...run, numRuntimeErrorTestSuites: 1 }, undefined])).toEqual({ passed: 5, failed: 2, skipped: 2 })
})
