import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '@svc/testing'
import { platform, rounded, table } from './report.ts'

/**
 * How long `npm start` takes where it has run before, from the command to the screen that says how to get in, and what each
 * process used of that; then in how long each service is ready after its process was started, one at a time in a mesh that
 * runs. The clone must not be running. Ends with 1 where either is slower than its goal.
 *
 *   node --conditions=source tests/bench/start.ts [starts] [restarts of each service]
 */
const [starts = 3, restarts = 3] = process.argv.slice(2).map(Number)
const GOAL = { startSeconds: 10, readyMs: 1_500 }
const root = join(import.meta.dirname, '../..')
const local = join(root, '.local')
const stackFile = join(local, 'stack.json')
const SERVERS = ['postgres', 'redis', 'kafka']
const MS_PER_TICK = 10
const LOOK_MS = 10

if (existsSync(stackFile)) throw new Error('this clone is running: stop it first')
console.log(platform())
// Whatever is made once is there afterwards: databases, topics, demo data, compiled code.
await stopped((await started()).npm)
const seconds: number[] = []
const used: Array<Record<string, number>> = []
for (let turn = 0; turn < starts; turn++) {
  const run = await started()
  seconds.push(run.seconds)
  used.push(run.usedMs)
  if (turn === starts - 1 && restarts > 0) await measureServices()
  await stopped(run.npm)
}
const names = Object.keys(used[0] ?? {})
console.log(
  table(
    ['npm start, s', ...names.map((name) => `${name}, s of CPU`)],
    seconds.map((value, turn) => [
      rounded(value, 1),
      ...names.map((name) => rounded((used[turn]?.[name] ?? 0) / 1_000, 2)),
    ]),
  ),
)
if (Math.min(...seconds) > GOAL.startSeconds) process.exitCode = 1

async function started() {
  const startedAt = performance.now()
  const npm = spawn('npm', ['start'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  await eventually(
    () => {
      if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}`)
      if (!existsSync(stackFile)) throw new Error('not yet')
    },
    { timeoutMs: 300_000, intervalMs: LOOK_MS },
  )
  const taken = (performance.now() - startedAt) / 1_000
  const ofMesh = Object.keys(metricsUrls())
  const usedMs = Object.fromEntries([
    ...ofMesh.map((name) => [name, cpuOf(pidOf(join(local, 'run', `${name}.pid`))).own]),
    ['providers', cpuOf(pidOf(join(local, 'run/providers.pid'))).own],
    ...SERVERS.map((name) => [name, allOf(pidOf(join(local, 'data', `${name}.pid`)))]),
    ['start', cpuOf(pidOf(join(local, 'start.pid'))).own],
    ['what it ran', cpuOf(pidOf(join(local, 'start.pid'))).ended],
  ])
  return { npm, seconds: taken, usedMs }
}

async function stopped(npm: ChildProcess): Promise<void> {
  npm.kill('SIGTERM')
  if (npm.exitCode === null) await once(npm, 'exit')
  await eventually(() => {
    if (existsSync(stackFile)) throw new Error('it runs still')
  })
}

async function measureServices(): Promise<void> {
  const rows: Array<Array<string | number>> = []
  for (const [name, url] of Object.entries(metricsUrls())) {
    const file = join(local, 'run', `${name}.pid`)
    const took: number[] = []
    const cpu: number[] = []
    for (let turn = 0; turn < restarts; turn++) {
      const before = pidOf(file)
      process.kill(before, 'SIGTERM')
      let pid = before
      do {
        await wait(LOOK_MS)
        pid = existsSync(file) ? pidOf(file) : before
      } while (pid === before || !(await isReady(url)))
      took.push(Date.now() - startOf(pid))
      cpu.push(cpuOf(pid).own)
    }
    rows.push([name, rounded(Math.min(...took)), rounded(Math.max(...took)), rounded(Math.min(...cpu))])
    if (Math.min(...took) > GOAL.readyMs) process.exitCode = 1
  }
  console.log(table(['process', 'ready after ms, fastest', 'slowest', 'ms of CPU'], rows))
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(new URL('/health/ready', url))).ok
  } catch {
    return false
  }
}

function metricsUrls(): Record<string, string> {
  return (JSON.parse(readFileSync(stackFile, 'utf8')) as { metrics_urls: Record<string, string> }).metrics_urls
}

function pidOf(file: string): number {
  const [pid] = readFileSync(file, 'utf8').split(' ')
  if (!Number(pid)) throw new Error(`${basename(file)} names no process`)
  return Number(pid)
}

/** Of /proc, counted after the name in brackets. */
function statOf(pid: number): string[] {
  const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
  return line.slice(line.lastIndexOf(')') + 2).split(' ')
}

function cpuOf(pid: number): { own: number; ended: number } {
  const ticks = statOf(pid).map(Number)
  return {
    own: (ticks[11]! + ticks[12]!) * MS_PER_TICK,
    ended: (ticks[13]! + ticks[14]!) * MS_PER_TICK,
  }
}

/** With those that it started and that have ended. */
function allOf(pid: number): number {
  const { own, ended } = cpuOf(pid)
  return own + ended
}

/** When the process was started, by the clock of the machine. */
function startOf(pid: number): number {
  const uptimeMs = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1_000
  return Date.now() - uptimeMs + Number(statOf(pid)[19]) * MS_PER_TICK
}
