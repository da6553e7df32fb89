import { expect, test } from '@jest/globals'
import { failedFiles, totalsLine, totalsOf } from './test-totals.ts'

const file = (name: string, ...statuses: string[]) => ({
  name,
  status: statuses.includes('failed') || statuses.length === 0 ? 'failed' : 'passed',
  startTime: 0,
  endTime: 1,
  message: '',
  assertionResults: statuses.map((status) => ({ status, fullName: 'holds' })),
})
const run = (...testResults: Array<ReturnType<typeof file>>) => ({ testResults })

test('runs are added up, and what did not run is counted as skipped', () => {
  const runs = [run(file('a', 'passed', 'pending'), file('b', 'passed', 'todo')), run(file('c', 'passed', 'failed'))]
  expect(totalsLine(totalsOf(runs))).toBe('3 passed, 1 failed, 2 skipped')
})

test('a file that could not run and a run that left no results are failures', () => {
  expect(totalsOf([run(file('a', 'passed'), file('b')), undefined])).toEqual({ passed: 1, failed: 2, skipped: 0 })
})

test('a file whose tests passed and that failed all the same is a failure', () => {
  expect(totalsOf([run({ ...file('a', 'passed'), status: 'failed' })])).toEqual({ passed: 1, failed: 1, skipped: 0 })
})

test('of a file that ran again the later run counts, whichever way it went', () => {
  const first = run(file('a', 'passed', 'failed'), file('b', 'passed'), file('c'))
  expect(failedFiles([first, undefined]).map(({ name }) => name)).toEqual(['a', 'c'])
  expect(totalsOf([first, run(file('a', 'passed', 'passed'), file('c', 'passed'))])).toMatchObject({
    passed: 4,
    failed: 0,
  })
  expect(totalsOf([first, run(file('a', 'passed', 'failed'), file('c'))])).toMatchObject({ passed: 2, failed: 2 })
})
