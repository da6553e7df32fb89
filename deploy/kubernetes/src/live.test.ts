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
function live(text: string, before: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'live-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'src/program.mjs')
  mkdirSync(join(folder, 'src'))
  const save = (what: string) => writeFileSync(file, what)
  save(text)
  for (const [name, what] of Object.entries(before)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), what)
  }
  const imports = Object.keys(before).filter((name) => name.startsWith('src/'))
  const words = [...imports.flatMap((name) => ['--import', join(folder, name)]), file]
  const child = spawn(process.execPath, [LIVE, '--watch', join(folder, 'src'), '--', process.execPath, ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // No test waits until the machine has nothing else to do.
    env: { ...process.env, LIVE_SPARE_WITHIN_MS: '0' },
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

/** Says its name once it hears signals, and when it is asked to end. */
const saying = (name: string) => `
  const timer = setInterval(() => {}, 1_000)
  process.once('SIGTERM', () => { console.log('${name} ends'); clearInterval(timer) })
  console.log('${name} runs')`

test('a change has the program started anew, once the one before has ended', async () => {
  const { save, lines, until } = live(saying('first'))
  await until(() => lines().includes('first runs'))
  save(saying('second'))
  await until(() => lines().includes('second runs'))
  expect(lines()).toEqual(['first runs', 'first ends', 'second runs'])
})

test('the next loads what it imports while the one before ends, and runs after that', async () => {
  // Told to end, it waits until the next one has loaded its part.
  const waiting = (nth: number) => `
    import { existsSync, rmSync } from 'node:fs'
    import '../parts/part.mjs'
    const loaded = new URL('../parts/loaded', import.meta.url)
    rmSync(loaded)
    process.once('SIGTERM', () => {
      setInterval(() => existsSync(loaded) && (console.log('${nth} ends'), process.exit()), 5)
    })
    setInterval(() => {}, 1_000)
    console.log('${nth} runs')`
  const part = `import { writeFileSync } from 'node:fs'; writeFileSync(new URL('loaded', import.meta.url), '')`
  const { save, lines, until } = live(waiting(1), { 'parts/part.mjs': part })
  // A busy machine may take longer to load it than the one before is given to end.
  const hasEnded = () => lines().some((line) => line.endsWith('ends'))
  for (let nth = 1; nth <= 20 && !hasEnded(); nth++) {
    await until(() => lines().includes(`${nth} runs`))
    save(waiting(nth + 1))
    await until(() => lines().includes(`${nth + 1} runs`))
  }
  const [ends, runs] = lines().slice(-2)
  // Nobody else comes whom it would wait for.
  save(saying('last'))
  await until(() => lines().includes('last runs'))
  expect([ends, runs]).toEqual([`${Number.parseInt(runs!, 10) - 1} ends`, expect.stringContaining('runs')])
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

const PACKAGE = {
  'node_modules/others/package.json': '{"name":"others","exports":"./index.mjs","type":"module"}',
  'node_modules/others/index.mjs': "console.log('others are loaded')",
}

test('the packages of others are loaded before a change is there, and what it changes after it', async () => {
  const { save, lines, until } = live(`import 'others'; ${saying('first')}`, PACKAGE)
  // By the first, and by the one that waits.
  await until(() => lines().filter((line) => line === 'others are loaded').length === 2)
  expect(lines().filter((line) => line !== 'others are loaded')).toEqual(['first runs'])
  save(`import 'others'; ${saying('second')}`)
  await until(() => lines().includes('second runs'))
  expect(lines()).toEqual(['others are loaded', 'first runs', 'others are loaded', 'first ends', 'second runs'])
})

test('one that waits and has loaded what was changed since is not taken', async () => {
  const early = 'src/early.mjs'
  const { lines, until, folder } = live(`import 'others'; ${saying('one')}`, {
    ...PACKAGE,
    [early]: "console.log('old')",
  })
  await until(() => lines().filter((line) => line === 'others are loaded').length === 2)
  writeFileSync(join(folder, early), "console.log('new')")
  await until(() => lines().filter((line) => line === 'one runs').length === 2)
  expect(lines().lastIndexOf('new')).toBeGreaterThan(lines().lastIndexOf('old'))
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
