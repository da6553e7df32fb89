// `npm test`: the whole suite against real servers, ending with one line of totals. Arguments reach jest.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from './paths.ts'
import { toolEnvironment } from './run-tool.ts'
import { type Phase, testPlan } from './test-plan.ts'
import { type JestResults, totalsLine, totalsOf } from './test-totals.ts'

const LIMIT_MS = Number(process.env.TEST_LIMIT_MINUTES ?? 45) * 60_000
/** A test file that left something open keeps jest from ending after its results are written. */
const GRACE_MS = 20_000

const folder = mkdtempSync(join(tmpdir(), 'test-results-'))
const deadline = Date.now() + LIMIT_MS
const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    for (const child of running) child.kill(signal)
    process.exitCode = 130
  })

async function runPhase({ name, args }: Phase): Promise<JestResults | undefined> {
  const resultsFile = join(folder, `${name}.json`)
  const jest = join(root, 'node_modules/.bin/jest')
  const child = spawn(jest, ['--json', `--outputFile=${resultsFile}`, ...args], {
    cwd: root,
    stdio: ['inherit', 'ignore', 'inherit'],
    env: toolEnvironment({ NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning' }),
  })
  running.add(child)
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const outOfTime = new AbortController()
  const why = await Promise.race([ended.then(() => undefined), overdue(resultsFile, outOfTime.signal)])
  outOfTime.abort()
  if (why) {
    console.error(why)
    child.kill('SIGKILL')
  }
  const code = await ended
  running.delete(child)
  if (why || code !== 0) process.exitCode ||= 1
  return existsSync(resultsFile) ? (JSON.parse(readFileSync(resultsFile, 'utf8')) as JestResults) : undefined
}

/** Resolves with the reason when jest takes too long, over all or after its last test. */
async function overdue(resultsFile: string, signal: AbortSignal): Promise<string | undefined> {
  let doneAt: number | undefined
  while (!signal.aborted) {
    await wait(200, undefined, { signal }).catch(() => {})
    if (existsSync(resultsFile)) doneAt ??= Date.now()
    if (doneAt && Date.now() - doneAt > GRACE_MS)
      return `jest did not end ${GRACE_MS / 1000} s after its last test: a test left something open`
    if (Date.now() > deadline) return `the tests took longer than ${LIMIT_MS / 60_000} minutes (TEST_LIMIT_MINUTES)`
  }
  return undefined
}

const results: Array<JestResults | undefined> = []
for (const phase of testPlan(process.argv.slice(2))) {
  if (process.exitCode === 130 || Date.now() > deadline) break
  results.push(await runPhase(phase))
}
rmSync(folder, { recursive: true, force: true })
const totals = totalsOf(results)
if (totals.failed > 0) process.exitCode ||= 1
console.log(totalsLine(totals))
process.exit()
