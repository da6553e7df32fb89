import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { programPath } from '../native.mjs'
import { type Child, type ChildOptions, startChild, whenReady } from './child.ts'
import { keepRunning } from './keep-running.ts'
import { livePid } from './pid-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'child-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const options = (name: string, script: string): ChildOptions => ({
  name,
  command: 'sh',
  args: ['-c', script],
  cwd: folder,
  env: { PATH: process.env.PATH },
  logFile: join(folder, `${name}.log`),
  pidFile: join(folder, `${name}.pid`),
})

async function until(check: () => boolean): Promise<void> {
  while (!check()) await wait(10)
}

/** Runs what a module does that has `startChild` and the options of an orphan, in a process of its own. */
const parent = (script: string, env = {}) =>
  spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { startChild } from ${JSON.stringify(join(import.meta.dirname, 'child.ts'))}
       const options = ${JSON.stringify(options('orphan', 'exec sleep 600'))}
       ${script}`,
    ],
    { stdio: 'inherit', env: { ...process.env, ...env } },
  )

test('a process ends with the one that started it, also when that is killed outright', async () => {
  const living = parent('await startChild(options); setInterval(() => {}, 1000)')
  const pidFile = join(folder, 'orphan.pid')
  await until(() => existsSync(pidFile) && livePid(pidFile) !== undefined)
  living.kill('SIGKILL')
  await until(() => livePid(pidFile) === undefined)
})

test('a process whose parent is killed before the kernel knows of the bond ends too', async () => {
  const slow = join(folder, 'setpriv')
  writeFileSync(slow, `#!/bin/sh\nsleep 0.3\nexec ${programPath('setpriv')} "$@"\n`, { mode: 0o755 })
  const dying = parent('await startChild(options); process.kill(process.pid, "SIGKILL")', {
    PATH: `${folder}:${process.env.PATH}`,
  })
  await once(dying, 'exit')
  const pidFile = join(folder, 'orphan.pid')
  expect(livePid(pidFile)).toBeGreaterThan(0)
  await until(() => livePid(pidFile) === undefined)
})

test('a process that ends is started again, and stays away once it is told to stop', async () => {
  const start = async () => ({ child: await startChild(options('phoenix', 'echo started; exec sleep 600')) })
  const { child } = await start()
  const starts = () => readFileSync(join(folder, 'phoenix.log'), 'utf8').split('started').length - 1
  await until(() => starts() === 1)
  const kept = keepRunning(child, start)
  kept.kill('SIGKILL')
  await until(() => starts() === 2)
  expect(kept.ends()).toBe(1)
  await kept.stop()
  expect(livePid(join(folder, 'phoenix.pid'))).toBeUndefined()
})

test('stopping while a process is being started again waits for that start and ends it', async () => {
  const start = async () => ({ child: await startChild(options('late', 'exec sleep 600')) })
  const { child } = await start()
  let isRestarting = false
  let letStart = () => {}
  const kept = keepRunning(child, async () => {
    isRestarting = true
    await new Promise<void>((resolve) => {
      letStart = resolve
    })
    return start()
  })
  kept.kill('SIGKILL')
  await until(() => isRestarting)
  const stopped = kept.stop()
  letStart()
  await stopped
  expect(livePid(join(folder, 'late.pid'))).toBeUndefined()
})

test('a process that ends before it is ready is reported at once, with the end of its log', async () => {
  const failing: Child = await startChild(options('failing', 'echo no such folder; exit 3'))
  await expect(whenReady(failing, join(folder, 'failing.log'), async () => false)).rejects.toThrow(
    /failing ended with exit code 3.*no such folder/s,
  )
})

test('what ignores a request to end is ended by force', async () => {
  const stubborn = await startChild(options('stubborn', 'trap "" TERM; echo deaf; while :; do sleep 0.1; done'))
  await until(() => readFileSync(join(folder, 'stubborn.log'), 'utf8').includes('deaf'))
  await stubborn.stop(200)
  expect(await stubborn.exited).toBe('stubborn ended with SIGKILL')
})
