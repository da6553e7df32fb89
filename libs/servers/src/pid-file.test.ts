import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { endRecorded, livePid, writePidFile } from './pid-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pid-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a leftover of a killed run is ended before its place is taken', async () => {
  const file = join(folder, 'sleeper.pid')
  const sleeper = spawn('sleep', ['600'])
  const ended = once(sleeper, 'exit')
  writePidFile(file, sleeper.pid as number)
  expect(livePid(file)).toBe(sleeper.pid)
  await endRecorded(file, 'SIGTERM')
  expect((await ended)[1]).toBe('SIGTERM')
  expect(livePid(file)).toBeUndefined()
})

test('a process that was given the number of a dead one is never taken for it', () => {
  const file = join(folder, 'other.pid')
  writePidFile(file, process.pid)
  const [pid] = readFileSync(file, 'utf8').split(' ')
  writeFileSync(file, `${pid} 1\n`)
  expect(livePid(file)).toBeUndefined()
})

test('a process that had died before it was recorded is nobody', () => {
  const file = join(folder, 'late.pid')
  const { pid } = spawnSync('true')
  writePidFile(file, pid)
  expect(livePid(file)).toBeUndefined()
})
