import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from '@jest/globals'

const LIVE = join(import.meta.dirname, '../components/live/live.mjs')
const closers: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A program of this text that is run live, and what it has printed, line by line. */
function live(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'live-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'src/program.mjs')
  mkdirSync(join(folder, 'src'))
  const save = (what: string) => writeFileSync(file, what)
  save(text)
  const child = spawn(process.execPath, [LIVE, '--watch', join(folder, 'src'), '--', process.execPath, file], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  closers.push(() => {
    child.kill('SIGTERM')
    return ended
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    printed += more
  })
  const lines = () => printed.split('\n').slice(0, -1)
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await once(child.stdout, 'data')
  }
  return { save, child, ended, lines, until, folder }
}

/** Says its name, and when it is asked to end. */
const saying = (name: string) => `
  console.log('${name} runs')
  const timer = setInterval(() => {}, 1_000)
  process.once('SIGTERM', () => { console.log('${name} ends'); clearInterval(timer) })`

test('a change has the program started anew, once the one before has ended', async () => {
  const { save, lines, until } = live(saying('first'))
  await until(() => lines().includes('first runs'))
  save(saying('second'))
  await until(() => lines().includes('second runs'))
  expect(lines()).toEqual(['first runs', 'first ends', 'second runs'])
})

test('so does SIGHUP, whatever was changed', async () => {
  const { child, lines, until } = live(saying('first'))
  await until(() => lines().includes('first runs'))
  child.kill('SIGHUP')
  await until(() => lines().length === 3)
  expect(lines()).toEqual(['first runs', 'first ends', 'first runs'])
})

test('a program that does not start is started by the change that mends it; a folder that came later is watched too', async () => {
  const { save, lines, until, folder } = live('this is no program')
  const part = join(folder, 'src/later/part.mjs')
  mkdirSync(join(folder, 'src/later'))
  writeFileSync(part, `console.log('a part')`)
  save(`import './later/part.mjs'; ${saying('mended')}`)
  await until(() => lines().includes('mended runs'))
  writeFileSync(part, `console.log('another part')`)
  await until(() => lines().includes('another part'))
  expect(lines()).toContain('a part')
})

test('a program that does not end in time is killed; told to end, all of it ends', async () => {
  const { save, child, ended, lines, until } = live(
    `process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000); console.log('deaf')`,
  )
  await until(() => lines().includes('deaf'))
  save(saying('next'))
  await until(() => lines().includes('next runs'))
  child.kill('SIGTERM')
  await ended
  expect(lines().at(-1)).toBe('next ends')
})
