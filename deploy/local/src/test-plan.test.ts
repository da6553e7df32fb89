import { expect, test } from '@jest/globals'
import { testPlan } from './test-plan.ts'

const projects = (args: string[]) =>
  testPlan(args).map(({ args: [, ...rest] }) =>
    rest.slice(
      0,
      rest.findIndex((word) => word.startsWith('-')),
    ),
  )

test('the suites that load the machine run after all others, one file at a time', () => {
  const [together, alone] = testPlan([])
  expect(together?.args).toEqual(expect.arrayContaining(['unit', 'libs', 'services', 'gateway', '--maxWorkers=2']))
  expect(alone?.args).toEqual(expect.arrayContaining(['journeys', 'chaos', '--runInBand']))
})

test('selecting projects runs these and starts nothing for the others', () => {
  expect(projects(['--selectProjects', 'unit'])).toEqual([['unit']])
  expect(projects(['--selectProjects', 'unit', 'chaos', '--verbose'])).toEqual([['unit'], ['chaos']])
})

test('every other argument reaches jest', () => {
  const [only] = testPlan(['-t', 'ledger', '--selectProjects', 'libs', '--', 'outbox'])
  expect(only?.args.slice(-4)).toEqual(['-t', 'ledger', '--', 'outbox'])
})
