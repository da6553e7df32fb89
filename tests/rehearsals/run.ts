import { join } from 'node:path'
import { eventually, mesh } from '@svc/testing'
import { table } from '../bench/report.ts'
import type { Fault, Watched } from './fault.ts'
import { FAULTS, TOGETHER } from './faults/index.ts'
import { meshCertificates } from './mesh-certificates.ts'
import { startPrometheus } from './prometheus.ts'
import { rehearsedTable } from './rehearsed-table.ts'
import { stageOf } from './stage.ts'

/**
 * Causes what alerts are for, in a mesh with servers of its own that a real Prometheus watches with the rules of the repository:
 * each alert must fire, for the process that its page speaks of; then the page is followed, its commands as they are printed;
 * then each must end. In time-lapse. Ends with 1 where one does not, or where a command fails.
 *
 *   node --conditions=source tests/rehearsals/run.ts [fault or alert]... | --table
 */
/** Scrapes, evaluation and the longest wait and window of a rule in time-lapse, on a busy machine. */
const WITHIN_MS = 480_000

const chosen = process.argv.slice(2)
if (chosen[0] === '--table') {
  console.log(rehearsedTable())
  process.exit()
}
const faults = FAULTS.filter(
  ({ name, watched }) =>
    chosen.length === 0 || chosen.includes(name) || watched.some(({ alert }) => chosen.includes(alert)),
)
if (faults.length === 0) throw new Error(`no such fault or alert: ${chosen.join(' ')}`)

const certificates = meshCertificates()
const system = await mesh({
  ownServers: true,
  spans: false,
  environment: (process) => ({
    ...certificates.environmentOf(process),
    SOS_PHONES: '+2348099999999',
    RATE_TEST_KEY_PER_MINUTE: '1000000',
    // In time-lapse a minute of these passes in 6 s, as those of the rules do.
    RATE_LIVE_KEY_PER_MINUTE: '3000',
    OTP_COOLDOWN_SECONDS: '6',
    SWEEP_INTERVAL_MS: '5s',
    // A debugger that is asked for may listen on any port.
    NODE_OPTIONS: '--inspect-port=127.0.0.1:0',
  }),
})
const prometheus = await startPrometheus(join(system.folder, 'prometheus'), system.metricsUrls)
const stage = stageOf({ system, prometheus, certificates })

const isFiring = async ({ alert, job }: Watched): Promise<boolean> =>
  (await prometheus.firing()).some((one) => one.alert === alert && (job === undefined || one.job === job))

/** In how many seconds each came to fire, or to end. */
async function secondsUntil(firing: boolean, watched: readonly Watched[]): Promise<number[]> {
  const since = performance.now()
  return Promise.all(
    watched.map(async (one) => {
      await eventually(async () => (await isFiring(one)) === firing, {
        timeoutMs: WITHIN_MS,
        intervalMs: 500,
        message: `${one.alert} ${firing ? 'does not fire' : 'does not end'}`,
      })
      return Math.round((performance.now() - since) / 1_000)
    }),
  )
}

const rows: Array<Array<string | number>> = []
const tried = (fault: Fault) =>
  rehearse(fault).catch((error: Error) => {
    process.exitCode = 1
    console.error(`  ${fault.name} FAILED: ${error.stack}`)
  })

async function rehearse({ name, watched, cause }: Fault): Promise<void> {
  console.log(`${new Date().toISOString().slice(11, 19)} ${name}`)
  await secondsUntil(false, watched)
  const end = await cause(stage)
  const fired = await secondsUntil(true, watched)
  console.log(`  ${name} fired: ${watched.map(({ alert }, index) => `${alert} ${fired[index]} s`).join(', ')}`)
  await end()
  const ended = await secondsUntil(false, watched)
  console.log(`  ${name} ended: ${watched.map(({ alert }, index) => `${alert} ${ended[index]} s`).join(', ')}`)
  for (const [index, { alert, section }] of watched.entries())
    rows.push([alert, name, section, fired[index]!, ended[index]!])
}

try {
  const together = faults.filter(({ name }) => TOGETHER.includes(name))
  const alone = faults.filter((fault) => !together.includes(fault))
  for (const act of [together, ...alone.map((fault) => [fault])]) await Promise.all(act.map(tried))
} finally {
  console.log(table(['alert', 'fault', 'page', 'fired after s', 'ended after s'], rows))
  if (stage.failures.length > 0) process.exitCode = 1
  await prometheus.stop()
  await system.stop()
  certificates.remove()
}
process.exit()
