import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { JestResults } from './test-totals.ts'

/** How long each file of tests takes, in seconds, by its path: longest-first.mjs of libs/testing orders files by it. */
const FILE = 'tests/durations.json'

type Durations = Record<string, number>

/** Of the files that ran any test. */
export function durationsOf(root: string, runs: ReadonlyArray<JestResults | undefined>): Durations {
  const ran = runs
    .flatMap((run) => run?.testResults ?? [])
    .filter(({ assertionResults }) => assertionResults.length > 0)
  return Object.fromEntries(
    ran.map(({ name, startTime, endTime }) => [relative(root, name), Math.round((endTime - startTime) / 100) / 10]),
  )
}

export const slowest = (durations: Durations, count: number): string[] =>
  Object.entries(durations)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, count)
    .map(([name, seconds]) => `${seconds.toFixed(1).padStart(6)} s  ${name}`)

/** Keeps what other runs found of files that are still there and did not run in this one. */
export function writeDurations(root: string, durations: Durations): void {
  const file = join(root, FILE)
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Durations) : {}
  const all = Object.entries({ ...known, ...durations }).filter(([name]) => existsSync(join(root, name)))
  const inOrder = all.toSorted(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`)
}
