import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { durationsOf, slowest, writeDurations } from './test-durations.ts'

const file = (name: string, seconds: number, tests = 1) => ({
  name: `/root/${name}`,
  status: 'passed',
  message: '',
  startTime: 1_000,
  endTime: 1_000 + seconds * 1_000,
  assertionResults: Array.from({ length: tests }, () => ({ status: 'passed', fullName: 'holds' })),
})

test('the slowest files are told, of all runs together; what ran no test has taken no time', () => {
  const runs = [
    { testResults: [file('a.test.ts', 1.26), file('b.test.ts', 90), file('empty.test.ts', 99, 0)] },
    undefined,
    { testResults: [file('c.test.ts', 2)] },
  ]
  const durations = durationsOf('/root', runs)
  expect(durations).toEqual({ 'a.test.ts': 1.3, 'b.test.ts': 90, 'c.test.ts': 2 })
  expect(slowest(durations, 2)).toEqual(['  90.0 s  b.test.ts', '   2.0 s  c.test.ts'])
})

test('a run of some files renews their durations, keeps those of the others and forgets files that are gone', () => {
  const root = mkdtempSync(join(tmpdir(), 'durations-'))
  mkdirSync(join(root, 'tests'))
  for (const name of ['a.test.ts', 'b.test.ts']) writeFileSync(join(root, name), '')
  writeDurations(root, { 'b.test.ts': 2, 'a.test.ts': 1, 'gone.test.ts': 3 })
  writeDurations(root, { 'b.test.ts': 5 })
  expect(readFileSync(join(root, 'tests/durations.json'), 'utf8')).toBe('{\n  "a.test.ts": 1,\n  "b.test.ts": 5\n}\n')
})
