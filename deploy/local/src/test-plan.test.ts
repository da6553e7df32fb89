import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { root } from './paths.ts'
import { testPlan } from './test-plan.ts'

const projects = (args: string[]) =>
  testPlan(args)
    .flat()
    .map(({ args: [, ...rest] }) =>
      rest.slice(
        0,
        rest.findIndex((word) => word.startsWith('-')),
      ),
    )

test('suites with meshes run a file at a time beside all others, and no two that share one mesh at once', () => {
  const [together, ...meshes] = testPlan([])
  expect(together?.[0]?.args).toEqual(expect.arrayContaining(['unit', 'libs', 'services', 'gateway']))
  expect(together?.[0]?.args).not.toContain('--runInBand')
  expect(meshes.map((lane) => lane.map(({ name }) => name))).toEqual([['security', 'journeys'], ['chaos']])
  for (const { name, args } of meshes.flat()) expect(args).toEqual(expect.arrayContaining([name, '--runInBand']))
})

test('servers are started for the suites that need them alone', () => {
  expect(
    testPlan(['--selectProjects', 'unit', 'guides'])
      .flat()
      .map(({ needsServers }) => needsServers),
  ).toEqual([false])
  expect(
    testPlan([])
      .flat()
      .every(({ needsServers }) => needsServers),
  ).toBe(true)
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
  const [[only] = []] = testPlan(['-t', 'ledger', '--selectProjects', 'libs', '--', 'outbox'])
  expect(only?.args.slice(-4)).toEqual(['-t', 'ledger', '--', 'outbox'])
})
