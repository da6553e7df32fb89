import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { root } from './paths.ts'
import { testPlan } from './test-plan.ts'

const projects = (args: string[]) =>
  testPlan(args).map(({ args: [, ...rest] }) =>
    rest.slice(
      0,
      rest.findIndex((word) => word.startsWith('-')),
    ),
  )

test('the suites that load the machine run after all others, one file at a time', () => {
  const [together, ...alone] = testPlan([])
  expect(together?.args).toEqual(expect.arrayContaining(['unit', 'libs', 'services', 'gateway']))
  expect(together?.args).not.toContain('--runInBand')
  expect(alone.map(({ name }) => name)).toEqual(['security', 'journeys', 'chaos'])
  for (const { name, args } of alone) expect(args).toEqual(expect.arrayContaining([name, '--runInBand']))
})

test('servers are started for the suites that need them alone', () => {
  expect(testPlan(['--selectProjects', 'unit', 'guides']).map(({ needsServers }) => needsServers)).toEqual([false])
  expect(testPlan([]).map(({ needsServers }) => needsServers)).toEqual([true, true, true, true])
})

test('every suite of jest.config.mjs belongs to the whole', async () => {
  const config = (await import(join(root, 'jest.config.mjs'))) as { default: { projects: { displayName: string }[] } }
  const configured = config.default.projects.map(({ displayName }) => displayName)
  expect(projects([]).flat().toSorted()).toEqual(configured.toSorted())
})

test('selecting projects runs these and starts nothing for the others', () => {
  expect(projects(['--selectProjects', 'unit'])).toEqual([['unit']])
  expect(projects(['--selectProjects', 'unit', 'chaos', '--verbose'])).toEqual([['unit'], ['chaos']])
})

test('every other argument reaches jest', () => {
  const [only] = testPlan(['-t', 'ledger', '--selectProjects', 'libs', '--', 'outbox'])
  expect(only?.args.slice(-4)).toEqual(['-t', 'ledger', '--', 'outbox'])
})
