// `npm test`: the whole suite against real servers, ending with one line of totals. Arguments reach jest; with --watch
// it is jest that stays, --write-durations renews what the order of the files goes by, and --again tells the failures that
// come back from those that do not.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { stopTestServers, testServers } from '@svc/servers'
import { root } from './paths.ts'
import { toolEnvironment } from './run-tool.ts'
import { durationsOf, slowest, writeDurations } from './test-durations.ts'
import { type Phase, testPlan } from './test-plan.ts'
import { type FileResult, failedFiles, type JestResults, totalsLine, totalsOf } from './test-totals.ts'

const LIMIT_MS = Number(process.env.TEST_LIMIT_MINUTES ?? 45) * 60_000
/**
 * A test file that left something open keeps jest from ending after its results are written. So does, for most of a minute
 * beside a load of forty, writing down what Node has compiled where nothing was kept yet.
 */
const GRACE_MS = 120_000
/** More files than that do not fail by chance. */
const MOST_AGAIN = 5

const given = process.argv.slice(2)
const isWatching = given.some((word) => /^--watch(All)?$/.test(word))
const OWN_OPTIONS = ['--write-durations', '--again']
const args = given.filter((word) => !OWN_OPTIONS.includes(word))

const folder = mkdtempSync(join(tmpdir(), 'test-results-'))
const deadline = Date.now() + LIMIT_MS
const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    for (const child of running) kill(child, signal)
    process.exitCode = 130
  })
const isStopped = () => process.exitCode === 130

/** A worker of jest does not end with jest: all of its group are told. */
function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(isWatching ? pid! : -pid!, signal)
  } catch {
    // Ended meanwhile.
  }
}

function startJest(args: readonly string[], stdout: 'inherit' | 'ignore'): ChildProcess {
  const child = spawn(join(root, 'node_modules/.bin/jest'), args, {
    cwd: root,
    stdio: ['inherit', stdout, 'inherit'],
    env: toolEnvironment({ NODE_OPTIONS: '--disable-warning=ExperimentalWarning' }),
    // A group of its own; only the group of the terminal may read from that, as watching does.
    detached: !isWatching,
  })
  running.add(child)
  return child
}

async function runPhase({ name, args }: Pick<Phase, 'name' | 'args'>): Promise<JestResults | undefined> {
  const resultsFile = join(folder, `${name}.json`)
  const child = startJest(['--json', `--outputFile=${resultsFile}`, ...args], 'ignore')
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const outOfTime = new AbortController()
  const why = await Promise.race([ended.then(() => undefined), overdue(resultsFile, outOfTime.signal)])
  outOfTime.abort()
  if (why) {
    console.error(why)
    kill(child, 'SIGKILL')
  }
  const code = await ended
  running.delete(child)
  const results = existsSync(resultsFile) ? (JSON.parse(readFileSync(resultsFile, 'utf8')) as JestResults) : undefined
  // Failed tests are counted at the end, and may have left something open; whatever else is wrong with a run is so for good.
  const isExplained = failedFiles([results]).length > 0
  if ((why || code !== 0) && !isExplained) process.exitCode ||= 1
  return results
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

if (isWatching) {
  const [code] = (await once(startJest(args, 'inherit'), 'exit')) as [number | null]
  process.exit(code ?? 1)
}

/** Once for all runs of jest, which find them in the environment; whether there is what they need. */
async function serversFor(phases: readonly Phase[]): Promise<boolean> {
  if (!phases.some(({ needsServers }) => needsServers)) return true
  try {
    await testServers()
    return true
  } catch (error) {
    console.error((error as Error).message)
    results.push(undefined)
    return false
  }
}

/**
 * Runs the files that failed once more, one at a time with nothing beside them. What fails again is a failure; what passes
 * is named as flaky, with the failure in full: its cause is to be found, in the test or in the product.
 */
async function runAgain(files: readonly FileResult[]): Promise<void> {
  const again = await runPhase({
    name: 'again',
    args: ['--runInBand', '--runTestsByPath', ...files.map(({ name }) => name)],
  })
  if (!again) return
  results.push(again)
  const stillFailed = new Set(failedFiles([again]).map(({ name }) => name))
  for (const { name, message } of files.filter((file) => !stillFailed.has(file.name)))
    console.log(`FLAKY ${relative(root, name)} failed and passed when it ran again, alone:\n${message}`)
}

/** The runs of a lane, one after another. */
async function runLane(lane: readonly Phase[]): Promise<void> {
  for (const phase of lane) {
    if (isStopped() || Date.now() > deadline) return
    const startedAt = Date.now()
    results.push(await runPhase(phase))
    minutes.push(`${phase.name} ${minutesSince(startedAt)}`)
  }
}

const minutesSince = (startedAt: number) => ((Date.now() - startedAt) / 60_000).toFixed(1)

const startedAt = Date.now()
const lanes = testPlan(args)
const results: Array<JestResults | undefined> = []
const minutes: string[] = []
if (await serversFor(lanes.flat())) await Promise.all(lanes.map(runLane))
minutes.push(`all ${minutesSince(startedAt)}`)
const failed = failedFiles(results)
const isWorthAgain = failed.length > 0 && failed.length <= MOST_AGAIN && !isStopped()
if (given.includes('--again') && isWorthAgain) await runAgain(failed)
await stopTestServers()
rmSync(folder, { recursive: true, force: true })
const totals = totalsOf(results)
if (totals.failed > 0) process.exitCode ||= 1
const durations = durationsOf(root, results)
if (given.includes('--write-durations')) writeDurations(root, durations)
for (const line of slowest(durations, 5)) console.log(line)
console.log(`minutes: ${minutes.join(', ')}`)
console.log(totalsLine(totals))
process.exit()
