import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { verified } from './verified.ts'

function clone(): {
  root: string
  write: (name: string, text: string) => void
  now: () => ReturnType<typeof verified>
} {
  const root = mkdtempSync(join(tmpdir(), 'verified-'))
  execFileSync('git', ['init', '-q'], { cwd: root })
  const write = (name: string, text: string) => writeFileSync(join(root, name), text)
  write('.gitignore', 'passed.json\nignored\n')
  write('a.ts', '1')
  write('a.md', '1')
  return { root, write, now: () => verified(root, join(root, 'passed.json')) }
}

const types = { name: 'types', command: 'tsc', args: [], inputs: (path: string) => path.endsWith('.ts') }

test('a step that passed is unchanged until a file that it judges is another, is new or is gone', () => {
  const { root, write, now } = clone()
  expect(now().isUnchanged(types)).toBe(false)
  now().record(types, true)
  expect(now().isUnchanged(types)).toBe(true)
  write('a.md', '2')
  write('ignored', '2')
  expect(now().isUnchanged(types)).toBe(true)
  write('b.ts', '2')
  expect(now().isUnchanged(types)).toBe(false)
  rmSync(join(root, 'b.ts'))
  expect(now().isUnchanged(types)).toBe(true)
  write('a.ts', '2')
  expect(now().isUnchanged(types)).toBe(false)
})

test('a step that failed, or is run otherwise, is run again though nothing changed', () => {
  const { now } = clone()
  now().record(types, true)
  expect(now().isUnchanged({ ...types, args: ['--strict'] })).toBe(false)
  now().record(types, false)
  expect(now().isUnchanged(types)).toBe(false)
})

test('a file that was saved while a step ran was not judged by it', () => {
  const { write, now } = clone()
  const before = now()
  write('a.ts', 'broken')
  before.record(types, true)
  expect(now().isUnchanged(types)).toBe(false)
})
